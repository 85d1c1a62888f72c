import type { Path } from '../../../flow/plugin/open-api.ts';
import { eventStream, namedFrame } from '../../../server/documents/event-frames.ts';
import {
  answerRefusals,
  body,
  cursor,
  inPath,
  json,
  lastEventId,
  operation,
  optional,
  ref,
} from '../../../server/documents/operations.ts';

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

/** Questions and their answers. @source H9, H10, H11 */
export const approvals: Readonly<Record<string, Path>> = {
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
      {
        requestBody: body('NewAnswer'),
        refusals: ['already-answered', 'question-changed', ...answerRefusals],
      },
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
  '/api/approvals/events': {
    get: operation(
      'approvalFeed',
      'Questions as they open and settle',
      {
        200: eventStream('The first frame has only an id. `opened` and `settled` events follow.', [
          ...['opened', 'settled'].map((event) => namedFrame(event, ref('Question'), { hasId: false })),
          { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        ]),
      },
      { parameters: [lastEventId] },
    ),
  },
};
