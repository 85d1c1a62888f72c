import type { Dialect } from '../../server/dialect.ts';
import { toolEventsAsyncApi } from './async-api.ts';
import { toolEventsEndpoints } from './handler.ts';
import { toolEventsOpenApi } from './open-api.ts';

export {
  contentBlockSchema,
  storedConversationSchema,
  toolEventSchema,
  toolEventSchemas,
  toolEventsRequestSchema,
} from './client/schema.ts';

/**
 * Turns as tool invocation events, and stored conversations as content blocks.
 *
 * @example createFetchHandler(flow, { authorize, dialects: [toolEvents()] })
 * @source A1-A26
 */
export function toolEvents(): Dialect {
  return {
    name: 'toolEvents',
    endpoints: toolEventsEndpoints,
    openApi: toolEventsOpenApi,
    asyncApi: toolEventsAsyncApi,
  };
}
