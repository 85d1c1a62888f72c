import type { AsyncApiPart } from '../../server/documents/async-api.ts';
import { donePayload, eventLine, linesOf } from '../../server/documents/lines.ts';
import { responseEvents } from './open-api.ts';

/** What the AsyncAPI document says about the gateway. @source C13, C14 */
export const responsesAsyncApi: AsyncApiPart = {
  groups: {
    responses: {
      payloads: { ...responseEvents, ...donePayload },
      lines: (name) => linesOf(name === 'done' ? {} : eventLine(name)),
    },
  },
  channels: {
    responses: {
      address: '/v1/responses',
      description: "A response of OpenAI's Responses API, requested with `stream: true`.",
      method: 'POST',
      sends: 'responses',
    },
    responseReplay: {
      address: '/v1/responses/{responseId}',
      description: 'A response that is read back with `stream=true`: its events, then live until it ends.',
      method: 'GET',
      sends: 'responses',
    },
  },
};
