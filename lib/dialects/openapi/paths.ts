import type { Operation, Path } from '../../flow/plugin/open-api.ts';
import {
  body,
  inPath,
  json,
  lastEventId,
  operation,
  optional,
  ref,
} from '../../server/openapi/operations.ts';
import { account, health } from './account-paths.ts';
import { approvals } from './approval-paths.ts';
import { chats } from './chat-paths.ts';
import { refs, twoStepEvents } from './components.ts';
import { dataFrame, eventStream, namedFrame } from './event-frames.ts';
import { refusalsOf } from './refusals.ts';
import { responsesPaths } from './responses-paths.ts';
import { tagOf } from './tags.ts';

const twoStepFrames = twoStepEvents.map((type) =>
  namedFrame(type, ref(`two-step-stream.${type}`), { hasId: true }),
);
const dialects: Readonly<Record<string, Path>> = {
  '/api/dialects/tool-events': {
    get: operation(
      'readConversation',
      'A stored conversation as content blocks',
      { 200: json('Its messages.', ref('StoredConversation')) },
      { parameters: [optional('conversationId', 'query', 'The conversation.')], refusals: ['not-found'] },
    ),
    post: operation(
      'toolEvents',
      'One turn as tool invocation events',
      { 200: eventStream('Frames without an event line.', [dataFrame({ oneOf: refs('tool-events.') })]) },
      {
        parameters: [optional('accept-approvals', 'header', '`1`: questions are sent.')],
        requestBody: body('ToolEventsRequest'),
        refusals: ['not-found', 'run-active'],
      },
    ),
  },
  '/api/dialects/tool-events/stream': {
    get: operation(
      'followConversation',
      'The last message from its start, with an id on each frame',
      {
        200: eventStream('Frames without an event line.', [dataFrame({ oneOf: refs('tool-events.') })]),
        204: { description: 'Nothing to replay, or nothing after `Last-Event-ID`.' },
      },
      {
        parameters: [
          optional('conversationId', 'query', 'The conversation.'),
          optional('follow', 'query', '`1`: stays open for later messages.'),
          optional('lastEventId', 'query', 'Counts like the header `Last-Event-ID`.'),
          lastEventId,
        ],
        refusals: ['not-found'],
      },
    ),
  },
  '/api/dialects/tool-events/result': {
    get: operation(
      'readConversationResult',
      'The result of a call whose output was sent by reference',
      { 200: json('The result.', ref('ToolResult')) },
      {
        parameters: [
          optional('conversationId', 'query', 'The conversation.'),
          optional('toolCallId', 'query', 'The call.'),
        ],
        refusals: ['not-found'],
      },
    ),
  },
  '/api/dialects/tool-events/retry': {
    post: operation(
      'retryToolCall',
      'Make a failed call of the last message again; the message as a stream, from its start',
      { 200: eventStream('Frames without an event line.', [dataFrame({ oneOf: refs('tool-events.') })]) },
      {
        parameters: [optional('accept-approvals', 'header', '`1`: questions are sent.')],
        requestBody: body('ToolEventsRetry'),
        refusals: ['not-found', 'run-active'],
      },
    ),
  },
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
      {
        200: eventStream('Named events.', twoStepFrames),
        204: { description: 'Already read to its end.' },
      },
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
  '/api/dialects/chat-socket': {
    get: operation('chatSocket', 'Upgrade to the chat socket: JSON text frames', {
      101: { description: 'Frames: `chat-socket.client` to the server, `chat-socket.server` from it.' },
    }),
  },
};

const all: Readonly<Record<string, Path>> = {
  ...chats,
  ...approvals,
  ...account,
  ...health,
  ...dialects,
  ...responsesPaths,
};

/** Every path of the document, each operation with its tag and its refusals. */
export function pathsWith(more: readonly (readonly [string, Path])[]): Readonly<Record<string, Path>> {
  const paths = { ...all };
  for (const [path, operations] of more) paths[path] = { ...paths[path], ...operations };
  const completed = Object.entries(paths).map(([path, { parameters, ...operations }]) => {
    const described = Object.entries(operations).map(([method, operation]) => [
      method,
      withTagAndRefusals(path, operation),
    ]);
    return [path, { parameters, ...Object.fromEntries(described) }];
  });
  return Object.fromEntries(completed);
}

function withTagAndRefusals(path: string, operation: Operation): Operation {
  const { refusals: _codes, ...described } = operation;
  const responses = { ...operation.responses, ...refusalsOf(path, operation) };
  return { tags: [tagOf(path)], ...described, responses };
}
