import type { AsyncApiPart } from '../../server/documents/async-api.ts';
import { idLine, linesOf } from '../../server/documents/lines.ts';
import { toolEventSchemas } from './client/schema.ts';

/** What the AsyncAPI document says about the tool events. @source C14 */
export const toolEventsAsyncApi: AsyncApiPart = {
  groups: {
    'tool-events': { payloads: toolEventSchemas },
    'tool-events-stream': { payloads: toolEventSchemas, lines: () => linesOf(idLine) },
  },
  channels: {
    toolEvents: {
      address: '/api/dialects/tool-events',
      description: 'One turn as tool invocation events, in frames without an event line.',
      method: 'POST',
      sends: 'tool-events',
    },
    toolEventsStream: {
      address: '/api/dialects/tool-events/stream',
      description:
        'The last turn of a conversation as tool invocation events, from its start or after `Last-Event-ID`.',
      method: 'GET',
      sends: 'tool-events-stream',
    },
    toolEventsRetry: {
      address: '/api/dialects/tool-events/retry',
      description: 'A failed call that is made again, as tool invocation events.',
      method: 'POST',
      sends: 'tool-events',
    },
  },
};
