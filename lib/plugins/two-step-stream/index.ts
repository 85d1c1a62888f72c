import type { Dialect } from '../../server/dialect.ts';
import { twoStepAsyncApi, twoStepOpenApi } from './documents.ts';
import { twoStepEndpoints } from './handler.ts';

export { messageRequestSchema, messageResponseSchema, streamEventSchemas } from './client/schema.ts';

/**
 * The two-step stream: a request that begins a turn, and one that reads its events.
 *
 * @example createFetchHandler(flow, { authorize, dialects: [twoStepStream()] })
 * @source B1-B10, B12-B19
 */
export function twoStepStream(): Dialect {
  return {
    name: 'twoStepStream',
    endpoints: twoStepEndpoints,
    openApi: twoStepOpenApi,
    asyncApi: twoStepAsyncApi,
  };
}
