import { turnWith } from '../../log/turn/fold-turn.ts';
import { questionOf } from '../../log/turn/question.ts';
import { type Call, callOfQuestion, type Turn } from '../../log/turn/turn.ts';
import type { ApprovalId, EventBody } from '../../protocol/index.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import type { Run } from '../run.ts';
import { failed } from '../step/call-end.ts';

const reasons = { approvals: 'This client cannot ask for approval.', tools: 'This client runs no tools.' };

type Asking = { readonly approvalId: ApprovalId; readonly events: readonly EventBody[] };

/**
 * Why the client's person is not asked, or could not execute the call; `undefined` if the question is to be asked.
 *
 * @source A25
 */
export async function whyNotAsked(
  { settings, asker, journal: { turn, head } }: Pick<Run, 'settings' | 'asker' | 'journal'>,
  { requested }: Call,
  { approvalId, events }: Asking,
): Promise<string | undefined> {
  // No decision is needed about a call that this client could not execute.
  if (requested.executor === 'client' && lacks(turn, 'tools')) return reasons.tools;
  if (!lacks(turn, 'approvals')) return undefined;
  const asked = callOfQuestion(turnWith(turn, events), approvalId);
  const question = asked && questionOf(asked, head);
  return question && (await mayAnswer(settings, asker, question)) ? reasons.approvals : undefined;
}

/** True if the client of a turn lacks an ability. */
export function lacks({ options }: Pick<Turn, 'options'>, ability: 'approvals' | 'tools'): boolean {
  return options?.unsupportedByClient?.includes(ability) === true;
}

export function notAsked(call: Call, why: string): EventBody {
  return failed(call.requested.toolCallId, `The call was denied: ${why}`);
}

export function notHandedOver(call: Call): EventBody {
  return failed(call.requested.toolCallId, reasons.tools);
}
