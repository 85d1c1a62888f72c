import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import type { AsyncApiPart } from '../../server/documents/async-api.ts';
import { eventStream, namedFrame } from '../../server/documents/event-frames.ts';
import { eventLine, idLine, linesOf } from '../../server/documents/lines.ts';
import {
  body,
  inPath,
  json,
  lastEventId,
  operation,
  optional,
  prefixed,
  ref,
} from '../../server/documents/operations.ts';
import { messageRequestSchema, messageResponseSchema, streamEventSchemas } from './client/schema.ts';

const frames = Object.keys(streamEventSchemas).map((type) =>
  namedFrame(type, ref(`two-step-stream.${type}`), { hasId: true }),
);

/** What the OpenAPI document says about the two-step stream. @source B4-B8, C14 */
export const twoStepOpenApi: OpenApiPart = {
  tag: { name: 'Two-step stream', description: 'SSE dialect: send a message, then read its stream.' },
  schemas: {
    MessageRequest: messageRequestSchema,
    MessageResponse: messageResponseSchema,
    ...prefixed('two-step-stream', streamEventSchemas),
  },
  paths: {
    '/api/chat/message': {
      post: operation(
        'sendMessage',
        'Start a run, and name its stream',
        { 200: json('The stream.', ref('MessageResponse')) },
        { requestBody: body('MessageRequest'), refusals: ['not-found', 'run-active', 'input-mismatch'] },
      ),
    },
    '/api/chat/stream/{streamId}': {
      parameters: [inPath('streamId')],
      get: operation(
        'readStream',
        'Read a stream, again and from any place',
        { 200: eventStream('Named events.', frames), 204: { description: 'Already read to its end.' } },
        {
          parameters: [
            optional('accept-approvals', 'header', '`1`: a gated call is announced before it is answered.'),
            optional('accept_approvals', 'query', 'Counts like the header `accept-approvals`.'),
            optional('lastEventId', 'query', 'Counts like the header `Last-Event-ID`.'),
            lastEventId,
          ],
        },
      ),
    },
  },
};

/** What the AsyncAPI document says about it. @source B4-B8, C14 */
export const twoStepAsyncApi: AsyncApiPart = {
  groups: {
    'two-step-stream': {
      payloads: streamEventSchemas,
      lines: (name) => linesOf({ ...idLine, ...eventLine(name) }),
    },
  },
  channels: {
    twoStepStream: {
      address: '/api/chat/stream/{streamId}',
      description: 'A stream of the two-step dialect. `POST /api/chat/message` names it.',
      method: 'GET',
      sends: 'two-step-stream',
    },
  },
};
