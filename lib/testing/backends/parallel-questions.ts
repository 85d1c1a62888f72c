import type { UIMessageChunk } from 'ai';
import { type ApprovalId, CountersignError, parseApprovalId } from '../../protocol/index.ts';
import { question, shownCall } from '../chunks/chunk-builders.ts';
import { isQuestion } from '../response-timing/chunk-kinds.ts';
import { backendPayments } from './backend-flow.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import * as edit from './response-edits.ts';

/** Asks both questions at the same time and waits for both answers, as plain `ai` and many frameworks do. */
export const parallelQuestions: Misbehaviour = {
  name: 'parallel-questions',
  rule: 'T1',
  summary: 'Two questions are asked in one response.',
  async respond({ request, turn, isRepeated, sentSince, questions }, honest) {
    const answers = request.answers ?? [];
    if (isRepeated) return sentSince.length > 0 ? edit.joined(sentSince) : honest(withoutEarly(request));
    if (turn.length === 0) return withSecondQuestion(await honest());
    if (!answers.some(({ approvalId }) => questions.has(approvalId))) return honest();

    const early = answers.find(({ approvalId }) => isEarly(approvalId));
    if (!early || answers.length < 2) {
      throw new CountersignError('invalid-request', 'Two questions are open. Answer both in one request.');
    }
    const later = (await honest(withoutEarly(request))).find(isQuestion);
    if (!later) throw new CountersignError('internal', 'The second question was not asked.');
    const approvalId = parseApprovalId(later.approvalId);
    const final = await honest({ ...request, answers: [{ ...early, approvalId }] });
    // It refers to an approval that the client has never seen.
    return final.filter(({ type }) => type !== 'tool-approval-response');
  },
};

const prefix = 'early-';

function isEarly(approvalId: ApprovalId): boolean {
  return approvalId.startsWith(prefix);
}

function withoutEarly<Request extends { answers?: readonly { approvalId: ApprovalId }[] }>(
  request: Request,
): Request {
  return { ...request, answers: request.answers?.filter(({ approvalId }) => !isEarly(approvalId)) };
}

function withSecondQuestion(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const second = edit.requestedCalls(chunks)[1];
  if (second === undefined) return [...chunks];
  const call = { id: second, tool: 'pay', input: backendPayments[1] };
  return edit.append(chunks, ...shownCall(call), question(second, `${prefix}${second}`));
}
