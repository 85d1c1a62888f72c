import { checkSettings, oneOf, text, wholeNumber } from '../../protocol/settings.ts';
import type { Dialect } from '../../server/dialect.ts';
import { responsesAsyncApi } from './async-api.ts';
import { createResponsesRoute } from './handler.ts';
import { responsesOpenApi } from './open-api.ts';
import type { ResponsesSettings } from './settings.ts';

export type { ResponsesSettings } from './settings.ts';

const checks = {
  serverTools: oneOf('function_call', 'mcp_call'),
  serverLabel: text(),
  model: text(),
  maxTurns: wholeNumber(1),
};

/**
 * OpenAI's Responses API, for its unmodified clients: everything below `/v1`.
 *
 * @throws CountersignError `invalid-settings`
 * @example createFetchHandler(flow, { authorize, dialects: [responses({ serverTools: 'mcp_call' })] })
 * @source C1-C18, ADR 0014
 */
export function responses(settings: ResponsesSettings = {}): Dialect {
  checkSettings('responses', settings, checks);
  return {
    name: 'responses',
    mount: (flow, server) => ({
      prefix: '/v1',
      handle: createResponsesRoute(flow, { ...server, ...settings }),
    }),
    openApi: responsesOpenApi,
    asyncApi: responsesAsyncApi,
  };
}
