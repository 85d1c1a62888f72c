import type { ProviderMetadata, UIMessageChunk } from 'ai';
import type { Call } from '../../log/turn/turn.ts';
import { present, type Question, type WithdrawalReason } from '../../protocol/index.ts';
import { encode } from '../../protocol/wire/codec.ts';
import { descriptorSchema } from '../../protocol/wire/question.ts';
import { type QuestionMarks, type QuestionRights, questionView } from '../../rights/question-rights.ts';

/** The order in which the turn produced a part; absent if parts are sent in that order. @source T3 */
export type Place = { readonly position?: number };

export function showCall(call: Call, place: Place, endedByServer = false): UIMessageChunk[] {
  const { requested, granted, kept, asked, answered } = call;
  const { toolCallId, toolName, executor, gate, title, dynamic } = requested;
  // A client executes what is in its part, so it gets the arguments as the schema parsed them.
  const input = executor === 'client' ? (requested.runsAs ?? requested.input) : requested.input;
  const common = {
    toolCallId,
    toolName,
    title,
    dynamic: dynamic || undefined,
    providerExecuted: executor === 'provider' || endedByServer ? true : undefined,
  };
  const shown: UIMessageChunk[] = [
    { type: 'tool-input-start', ...common, ...factsFor(place) },
    { type: 'tool-input-available', ...common, input, ...factsFor(place) },
  ];
  const showDecision = (approvalId: string, approved: boolean, reason: string | undefined) => {
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved, reason },
    );
  };
  if (gate.type === 'automatic') showDecision(gate.approvalId, gate.approved, gate.reason);
  // Its question was asked and answered in an earlier message, so nothing is asked here.
  if (kept && asked && answered) showDecision(asked.approvalId, answered.approved, answered.reason);
  if (granted) showDecision(granted.approvalId, true, granted.reason);
  return shown;
}

/** The chunk that asks, with the facts and rights that a card shows. @source H13 */
export function askChunk(
  call: Call,
  question: Question,
  rights: QuestionRights & QuestionMarks,
): UIMessageChunk {
  const { gate } = call.requested;
  return {
    type: 'tool-approval-request',
    approvalId: question.id,
    toolCallId: question.toolCallId,
    reason: gate.type === 'ask' ? gate.reason : undefined,
    approvalDescriptor: encode(descriptorSchema, questionView(question, rights)),
  };
}

/** Facts for pages in `providerMetadata`, which the SDK keeps with a part. Absent if there are none. */
export function factsFor(facts: { readonly position?: number; readonly withdrawn?: WithdrawalReason }): {
  providerMetadata?: ProviderMetadata;
} {
  const countersign = present(facts);
  return Object.keys(countersign).length > 0 ? { providerMetadata: { countersign } } : {};
}

/** How a question was answered or withdrawn, for readers that did not answer it. @source T2, T16 */
export function settledChunk({ asked, answered, withdrawn }: Call, place: Place): UIMessageChunk[] {
  if (!asked || !(answered || withdrawn)) return [];
  const reason = answered?.reason ?? withdrawn?.reason;
  return [
    {
      type: 'tool-approval-response',
      approvalId: asked.approvalId,
      approved: answered?.approved === true,
      reason,
      // Pages that read no facts see the reason of a withdrawal here. A person may deny with the same word.
      ...factsFor(answered ? {} : { ...place, withdrawn: withdrawn?.reason }),
    },
  ];
}
