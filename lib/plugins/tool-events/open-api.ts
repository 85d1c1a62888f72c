import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import { dataFrame, eventStream } from '../../server/documents/event-frames.ts';
import {
  body,
  fieldsOf,
  json,
  lastEventId,
  operation,
  optional,
  prefixed,
  ref,
} from '../../server/documents/operations.ts';
import {
  contentBlockSchema,
  storedConversationSchema,
  toolEventSchemas,
  toolEventsRequestSchema,
  toolEventsRetrySchema,
} from './client/schema.ts';

const events = eventStream('Frames without an event line.', [
  dataFrame({ oneOf: Object.keys(toolEventSchemas).map((type) => ref(`tool-events.${type}`)) }),
]);

/** What the OpenAPI document says about the tool events. @source C14 */
export const toolEventsOpenApi: OpenApiPart = {
  tag: { name: 'Tool events', description: 'SSE dialect: a turn as tool invocation events.' },
  schemas: {
    ToolEventsRequest: toolEventsRequestSchema,
    ToolEventsRetry: toolEventsRetrySchema,
    StoredConversation: storedConversationSchema,
    ContentBlock: contentBlockSchema,
    ...prefixed('tool-events', toolEventSchemas),
  },
  descriptions: new Map([
    ...fieldsOf(toolEventSchemas.tool_call_start, {
      toolCallId: 'Unique per invocation; the same in its one end or error.',
      input: 'The parsed arguments.',
    }),
    ...fieldsOf(toolEventSchemas.tool_call_end, {
      durationMs: 'From first start to end, retries included; milliseconds.',
      output: 'Absent when resultCount is 0, and with `outputRef`.',
      outputRef:
        'Where an output of more than 64 KiB is read, relative to the address of the dialect with a slash.',
    }),
    ...fieldsOf(toolEventSchemas.tool_call_error, {
      error: 'A sentence; never a stack.',
      retryable: 'Whether the person may try again.',
      wasRetried: 'An automatic retry ran and failed as well.',
    }),
    ...fieldsOf(toolEventSchemas.approval_request, {
      repeatOf: 'The same call ran, or was approved, within the day before.',
      question: 'All that a card shows, with the rights of this reader.',
    }),
    ...fieldsOf(storedConversationSchema, {
      run: '`active`, `waiting`: calls without a result are running, or wait. Older servers do not send it.',
      lastEventId: 'The id of the last frame that is in the messages: the stream continues after it.',
    }),
  ]),
  paths: {
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
        { 200: events },
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
          200: events,
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
        { 200: events },
        {
          parameters: [optional('accept-approvals', 'header', '`1`: questions are sent.')],
          requestBody: body('ToolEventsRetry'),
          refusals: ['not-found', 'run-active'],
        },
      ),
    },
  },
};
