import type { Path } from '../../../flow/plugin/open-api.ts';
import { dataFrame, doneFrame, eventStream } from '../../../server/documents/event-frames.ts';
import {
  answerRefusals,
  body,
  cursor,
  inPath,
  json,
  noContent,
  operation,
  ref,
} from '../../../server/documents/operations.ts';

const anyChunk = { type: 'object', required: ['type'], properties: { type: { type: 'string' } } };
const uiStream = eventStream("The AI SDK's UI message stream (v1), with three transient parts of our own.", [
  dataFrame({ anyOf: [anyChunk, ref('DataToolLifecycle'), ref('DataDraft'), ref('DataToolInput')] }),
  doneFrame,
]);

/** Chats, their streams and their records. @source H1, H2, H4, H5, S10, S11, S12, S13 */
export const chats: Readonly<Record<string, Path>> = {
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
      { requestBody: body('ChatRequest'), refusals: ['not-found', 'run-active', ...answerRefusals] },
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
      { requestBody: body('OutcomeRequest'), refusals: ['already-answered', 'run-active'] },
    ),
  },
};
