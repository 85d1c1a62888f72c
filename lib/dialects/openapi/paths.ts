import { ref, refs, responseEvents } from './components.ts';
import { body, eventStream, inPath, json, type Operation, operation, optional } from './operations.ts';

type Path = Readonly<Record<string, unknown>>;

const uiStream = eventStream("The AI SDK's UI message stream (v1), with three transient parts of our own.", [
  { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
  ref('DataToolLifecycle'),
  ref('DataDraft'),
  ref('DataToolInput'),
]);
const noContent: Operation = { description: 'Done; no content.' };
const cursor = optional('cursor', 'query', 'Where the next page begins.');
const limit = optional('limit', 'query', 'The most items of a page, 1 to 100. Default 50.');
const state = optional('state', 'query', 'Default `open`. `settled` has all that are not open any more.');
const questionFilter = [
  optional('toolName', 'query', 'Only questions about this tool.'),
  optional('chatId', 'query', 'Only questions of this chat.'),
  optional('askedBy', 'query', 'Only questions of turns that the person with this id asked for.'),
  optional('requestedSince', 'query', 'Only questions asked at this time or later: ISO 8601 in UTC.'),
  optional('requestedBefore', 'query', 'Only questions asked before this time: ISO 8601 in UTC.'),
  optional('risk', 'query', 'Only questions of this risk: `low`, `medium` or `high`.'),
  optional('text', 'query', 'Only questions whose sentence, tool or asker has all of these words.'),
];
const lastEventId = optional('Last-Event-ID', 'header', 'Go on after this event.');

const chats: Readonly<Record<string, Path>> = {
  '/api/chat': {
    get: operation(
      'listChats',
      "One's chats",
      { 200: json('A page.', ref('Chats')) },
      { parameters: [cursor] },
    ),
    post: operation(
      'respond',
      'Send a message, answers or outputs; stream the response',
      { 200: uiStream },
      { requestBody: body('ChatRequest') },
    ),
  },
  '/api/chat/{chatId}': {
    parameters: [inPath('chatId')],
    get: operation('readChat', 'The stored chat', { 200: json('The chat.', ref('Chat')) }),
    patch: operation(
      'renameChat',
      'Rename a chat',
      { 200: json('Its id and title.', { type: 'object' }) },
      { requestBody: body('Title') },
    ),
    delete: operation('eraseChat', 'Erase a chat, its log and its results', { 204: noContent }),
  },
  '/api/chat/{chatId}/stream': {
    parameters: [inPath('chatId')],
    get: operation('resume', 'Replay the current message, then go on live', {
      200: uiStream,
      204: { description: 'Nothing to resume.' },
    }),
  },
  '/api/chat/{chatId}/run': {
    parameters: [inPath('chatId')],
    delete: operation('stopRun', 'Stop the run, or withdraw the open question', { 204: noContent }),
  },
  '/api/chat/{chatId}/audit': {
    parameters: [inPath('chatId')],
    get: operation('readAudit', 'The sealed record of what was asked, answered and run', {
      200: {
        description: 'As JSON, or one entry a line.',
        content: {
          'application/json': { schema: ref('Audit') },
          'application/x-ndjson': { schema: { type: 'string' } },
        },
      },
    }),
  },
  '/api/chat/{chatId}/timeline': {
    parameters: [inPath('chatId')],
    get: operation('readTimeline', 'What the model, people and tools took, turn by turn', {
      200: json('The timeline.', ref('Timeline')),
    }),
  },
  '/api/chat/{chatId}/tool-results/{toolCallId}': {
    parameters: [inPath('chatId'), inPath('toolCallId')],
    get: operation('readToolResult', 'The whole result of one call', {
      200: json('The result.', ref('ToolResult')),
    }),
  },
  '/api/chat/{chatId}/outcomes/{toolCallId}': {
    parameters: [inPath('chatId'), inPath('toolCallId')],
    post: operation(
      'resolveOutcome',
      'Record what became of a call whose outcome is unknown; the first one stands',
      { 200: json('What is recorded.', ref('Resolution')) },
      { requestBody: body('OutcomeRequest') },
    ),
  },
};

const approvals: Readonly<Record<string, Path>> = {
  '/api/approvals': {
    get: operation(
      'listApprovals',
      'The questions this principal may answer, oldest first; settled ones latest first',
      { 200: json('A page.', ref('Approvals')) },
      { parameters: [state, ...questionFilter, limit, cursor] },
    ),
  },
  '/api/approvals/{approvalId}': {
    parameters: [inPath('approvalId')],
    get: operation('readApproval', 'One question, with its history', { 200: json('It.', ref('Approval')) }),
    post: operation(
      'answerApproval',
      'Answer a question; the first answer counts',
      { 200: json('The answered question.', ref('Approval')) },
      { requestBody: body('Decision') },
    ),
  },
  '/api/approvals/{approvalId}/preview': {
    parameters: [inPath('approvalId')],
    post: operation(
      'previewApproval',
      'What a question says with edited arguments, without any effect',
      { 200: json('The sentence, and the effect if the tool has a preview.', ref('Previewed')) },
      { requestBody: body('PreviewRequest') },
    ),
  },
  '/api/approvals/{approvalId}/upcoming': {
    parameters: [inPath('approvalId')],
    get: operation('listUpcoming', 'The calls of the same step that are asked about after an open question', {
      200: json('The next 100 at most, in order.', ref('Upcoming')),
    }),
    post: operation(
      'approveUpcoming',
      'Approve such calls in advance, or take that back; all or none',
      { 200: json('The calls as they are then.', ref('Upcoming')) },
      { requestBody: body('AdvanceRequest') },
    ),
  },
  '/api/approvals/events': {
    get: operation(
      'approvalFeed',
      'Questions as they open and settle',
      { 200: eventStream('`opened` and `settled` events.', [ref('Question')]) },
      { parameters: [lastEventId] },
    ),
  },
  '/api/remembered': {
    get: operation(
      'listRemembered',
      'The approvals that this principal had remembered, newest first',
      { 200: json('A page.', ref('Remembered')) },
      { parameters: [cursor] },
    ),
  },
  '/api/remembered/{grantId}': {
    parameters: [inPath('grantId')],
    delete: operation('forgetRemembered', 'Take a remembered approval back, for good', { 204: noContent }),
  },
  '/api/operations': {
    get: operation('readOperations', 'What needs an operator, for people with the right', {
      200: json('Runs without progress, unknown outcomes, and pauses.', ref('Operations')),
    }),
  },
  '/api/sessions': {
    get: operation(
      'listSessions',
      'The sessions of this principal, newest first',
      { 200: json('A page.', ref('Sessions')) },
      { parameters: [cursor] },
    ),
  },
  '/api/sessions/{sessionId}': {
    parameters: [inPath('sessionId')],
    delete: operation('endSession', 'End a session, on all instances', { 204: noContent }),
  },
};

/** They refuse nobody. */
const health: Readonly<Record<string, Path>> = {
  '/api/health/live': {
    get: {
      operationId: 'live',
      summary: 'This process handles requests',
      responses: { 200: json('Always.', ref('Health')) },
    },
  },
  '/api/health/ready': {
    get: {
      operationId: 'ready',
      summary: 'This instance can take requests: the store answers',
      responses: {
        200: json('It can.', ref('Health')),
        503: json('It cannot: the store did not answer within two seconds, or it shuts down.', ref('Health')),
      },
    },
  },
};

const dialects: Readonly<Record<string, Path>> = {
  '/api/dialects/tool-events': {
    get: operation(
      'readConversation',
      'A stored conversation as content blocks',
      { 200: json('Its messages.', ref('StoredConversation')) },
      { parameters: [optional('conversationId', 'query', 'The conversation.')] },
    ),
    post: operation(
      'toolEvents',
      'One turn as tool invocation events',
      { 200: eventStream('Frames without an event line.', refs('tool-events.')) },
      {
        parameters: [optional('accept-approvals', 'header', '`1`: be told of questions.')],
        requestBody: body('ToolEventsRequest'),
      },
    ),
  },
  '/api/dialects/tool-events/stream': {
    get: operation(
      'followConversation',
      'The last message from its start, with an id on each frame',
      {
        200: eventStream('Frames without an event line.', refs('tool-events.')),
        204: { description: 'Nothing to replay, or nothing after `Last-Event-ID`.' },
      },
      {
        parameters: [
          optional('conversationId', 'query', 'The conversation.'),
          optional('follow', 'query', '`1`: stays open for later messages.'),
          optional('lastEventId', 'query', 'Counts like the header `Last-Event-ID`.'),
          lastEventId,
        ],
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
      },
    ),
  },
  '/api/dialects/tool-events/retry': {
    post: operation(
      'retryToolCall',
      'Make a failed call of the last message again; the message as a stream, from its start',
      { 200: eventStream('Frames without an event line.', refs('tool-events.')) },
      {
        parameters: [optional('accept-approvals', 'header', '`1`: be told of questions.')],
        requestBody: body('ToolEventsRetry'),
      },
    ),
  },
  '/api/chat/message': {
    post: operation(
      'sendMessage',
      'Start a run, and name its stream',
      { 200: json('The stream.', ref('MessageResponse')) },
      { requestBody: body('MessageRequest') },
    ),
  },
  '/api/chat/stream/{streamId}': {
    parameters: [inPath('streamId')],
    get: operation(
      'readStream',
      'Read a stream, again and from any place',
      {
        200: eventStream('Named events.', refs('two-step-stream.')),
        204: { description: 'Already read to its end.' },
      },
      { parameters: [lastEventId] },
    ),
  },
  '/v1/responses': {
    post: operation(
      'createResponse',
      "OpenAI's Responses API",
      {
        200: {
          description: 'A response, or its stream.',
          content: {
            'application/json': { schema: ref('Response') },
            'text/event-stream': { schema: { oneOf: Object.keys(responseEvents).map(ref) } },
          },
        },
        '4XX': json('Refused.', ref('ResponsesError')),
      },
      { requestBody: body('ResponsesRequest') },
    ),
  },
  '/api/dialects/chat-socket': {
    get: operation('chatSocket', 'Upgrade to the chat socket: JSON text frames', {
      101: { description: 'Frames: `chat-socket.client` to the server, `chat-socket.server` from it.' },
    }),
  },
};

/** Every path of the document. */
export const paths: Readonly<Record<string, Path>> = {
  ...chats,
  ...approvals,
  ...health,
  ...dialects,
};
