import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import type { Call } from '../../../log/turn/turn.ts';
import type { AnswerRequest, ApprovalId, ChatId, Principal } from '../../../protocol/index.ts';
import { createTurnReader } from '../../../views/reader/read-turn.ts';

/** A call that has ended, and the `seq` of its end. */
export type SettledCall = { readonly call: Call; readonly seq: number };

/**
 * What became of the calls that a request has answered, before its message began a turn of its own.
 *
 * @returns in the order in which they ended; those that a client executes are left out
 * @source C18, ADR 0014.13
 */
export async function outcomesOf(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  answers: readonly AnswerRequest[],
): Promise<readonly SettledCall[]> {
  if (answers.length === 0) return [];
  const asked = new Set<ApprovalId | undefined>(answers.map(({ approvalId }) => approvalId));
  const readEvent = createTurnReader();
  return (await flow.chats.timeline(where)).flatMap((recorded): SettledCall[] => {
    const { event, call } = readEvent(recorded);
    const isEnd = call?.end !== undefined && call.end.seq === event.seq;
    if (!isEnd || call.requested.executor === 'client' || !asked.has(call.asked?.approvalId)) return [];
    return [{ call, seq: event.seq }];
  });
}
