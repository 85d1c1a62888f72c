import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import {
  type AnswerRequest,
  type ApprovalId,
  type ChatId,
  CountersignError,
  type EventOf,
  type FlowEvent,
  type Principal,
  type RunId,
} from '../../../protocol/index.ts';
import type { QuestionView } from '../../../rights/question-rights.ts';

/**
 * True if this person gave the same answer before: a client repeats its request when the connection was lost.
 *
 * @source C18, ADR 0014.5
 */
export function isGivenAnswer(
  { answer, options }: Pick<QuestionView, 'answer' | 'options'>,
  { approved, reason }: AnswerRequest,
  principal: Principal,
): boolean {
  if (!answer || answer.approved !== approved || answer.by.id !== principal.id) return false;
  const { reason: told } = options?.find(({ id }) => id === answer.option?.id) ?? {};
  return answer.reason === (reason ?? told);
}

/**
 * Refuses answers that come too late and are different, before the message that came with them is sent.
 *
 * @throws CountersignError `already-answered`, `not-found`
 */
export async function assertNotOverruled(
  flow: ApprovalFlow,
  principal: Principal,
  answers: readonly AnswerRequest[],
): Promise<void> {
  for (const answer of answers) {
    const { approvalId } = answer;
    const question = await flow.approvals.read({ principal, approvalId });
    if (!question.answer || isGivenAnswer(question, answer, principal)) continue;
    const text = `Question ${approvalId} was answered by ${question.answer.by.name} already.`;
    throw new CountersignError('already-answered', text, { approvalId });
  }
}

/**
 * The run that asked a question.
 *
 * @throws CountersignError `not-found` for a chat that this person may not read
 */
export async function runOfQuestion(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  approvalId: ApprovalId,
): Promise<RunId> {
  const isQuestion = (event: FlowEvent): event is EventOf<'approval-requested'> =>
    event.type === 'approval-requested' && event.approvalId === approvalId;
  const asked = (await flow.chats.timeline(where)).find(isQuestion);
  if (asked) return asked.runId;
  throw new CountersignError('not-found', `Question ${approvalId} was not found.`, { approvalId });
}

/**
 * The run that continued with an answer; `undefined` if none did, because a client has to execute the call.
 *
 * @throws CountersignError `not-found` for a chat that this person may not read; `superseded` if the chat has gone on
 */
export async function runOfAnswer(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  approvalId: ApprovalId,
): Promise<RunId | undefined> {
  const events = await flow.chats.timeline(where);
  const place = events.findIndex(
    (event) => event.type === 'approval-answered' && event.approvalId === approvalId,
  );
  const runId = events[place]?.runId;
  if (events.some((event) => event.type === 'run-started' && event.runId === runId)) return runId;
  if (events.slice(place).some(({ type }) => type === 'message-received')) {
    throw new CountersignError('superseded', `Question ${approvalId} belongs to an earlier message.`, {
      approvalId,
    });
  }
  return undefined;
}
