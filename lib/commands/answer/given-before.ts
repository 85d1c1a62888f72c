import { formatStreamId } from '../../protocol/ids/stream-id.ts';
import {
  type AnswerRequest,
  type EventOf,
  type FlowEvent,
  isSameJson,
  type Principal,
  type Question,
} from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import { currentId } from '../../settings/former-ids.ts';
import { type GivenAnswer, parseAnswer } from './answer-kinds.ts';

/**
 * The stream that an answer has continued, if it is repeated: `{}` for another answer, and if no run continued.
 *
 * @source H10, B18
 */
export async function streamGivenBefore(
  { store, settings }: Pick<Engine, 'store' | 'settings'>,
  question: Question,
  { principal, ...given }: Given & { readonly principal: Principal },
): Promise<{ readonly stream_id?: string }> {
  const { id, chatId, answer } = question;
  if (!answer || currentId(settings, answer.by.id) !== principal.id) return {};
  const events = await store.events.read(chatId, 0);
  const isAnswer = (event: FlowEvent): event is EventOf<'approval-answered'> =>
    event.type === 'approval-answered' && event.approvalId === id;
  const answered = events.find(isAnswer);
  if (!answered || !isSame(answered, parsed(question, given))) return {};
  const { runId } = answered;
  const hasContinued = events.some((event) => event.type === 'run-started' && event.runId === runId);
  return hasContinued ? { stream_id: formatStreamId(chatId, runId) } : {};
}

type Given = Omit<AnswerRequest, 'shownInput'>;

/** An answer that the question does not take is another one. */
function parsed(question: Question, given: Given): GivenAnswer | undefined {
  try {
    return parseAnswer(question, { ...given, approvalId: question.id });
  } catch {
    return undefined;
  }
}

function isSame(
  { approved, reason, option, value, input, plugins }: EventOf<'approval-answered'>,
  given: GivenAnswer | undefined,
): boolean {
  return (
    approved === given?.approved &&
    reason === given?.reason &&
    option === given?.option &&
    isSameJson(value ?? null, given?.value ?? null) &&
    // The arguments of an option are its own.
    (option !== undefined || isSameJson(input ?? null, given?.input ?? null)) &&
    isSameJson(Object.keys(given?.plugins ?? {}), Object.keys(plugins ?? {}))
  );
}
