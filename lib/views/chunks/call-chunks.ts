import type { ProviderMetadata, UIMessageChunk } from 'ai';
import type { Call } from '../../log/turn/turn.ts';
import type { Question, WithdrawalReason } from '../../protocol/index.ts';
import type { DescriptorJson } from '../../protocol/wire/question.ts';
import type { QuestionRights, QuestionView } from '../../rights/question-rights.ts';
import { escalationJson } from '../questions/escalation-json.ts';
import { historyJson } from '../questions/history-json.ts';
import { votesJson } from '../questions/question-json.ts';

/**
 * The place of a part in the order in which the turn produced everything; absent if parts are sent in that order.
 *
 * @source T3
 */
export type Place = { readonly position?: number };

/** Shows a call: its input, and the automatic approval pair if it had one, by its gate or as remembered. @source T1, T3 */
export function showCall(call: Call, place: Place, settledByServer = false): UIMessageChunk[] {
  const { requested, granted, kept, asked, answered } = call;
  const { toolCallId, toolName, executor, gate, title, dynamic } = requested;
  // A client executes what is in its part, so it gets the arguments as the schema parsed them.
  const input = executor === 'client' ? (requested.runsAs ?? requested.input) : requested.input;
  const common = {
    toolCallId,
    toolName,
    ...(title === undefined ? {} : { title }),
    ...(dynamic ? { dynamic } : {}),
    ...(executor === 'provider' || settledByServer ? { providerExecuted: true } : {}),
  };
  const shown: UIMessageChunk[] = [
    { type: 'tool-input-start', ...common, ...factsFor(place) },
    { type: 'tool-input-available', ...common, input, ...factsFor(place) },
  ];
  if (gate.type === 'automatic') {
    const { approvalId, approved, reason } = gate;
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved, ...(reason === undefined ? {} : { reason }) },
    );
  }
  if (kept && asked && answered) {
    // Its question was asked and answered in an earlier message, so nothing is asked here.
    const { approvalId } = asked;
    const { approved, reason } = answered;
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved, ...(reason === undefined ? {} : { reason }) },
    );
  }
  if (granted) {
    const { approvalId, by } = granted;
    const reason = granted.advance
      ? `${by.name} approved this in advance.`
      : `Remembered: ${by.name} approved this before.`;
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved: true, reason },
    );
  }
  return shown;
}

/** The chunk that asks, with the facts and rights that a card shows. @source H13 */
export function askChunk(
  call: Call,
  question: Question,
  rights: QuestionRights & Pick<QuestionView, 'outdated'>,
): UIMessageChunk {
  const { gate } = call.requested;
  const { id, title, description, risk, requestedAt, deadline, position, askedBy, runsAs } = question;
  const { options, needsInput, needsValue, votes, editedBy, escalation } = question;
  const { repeatOf, ...may } = rights;
  return {
    type: 'tool-approval-request',
    approvalId: id,
    toolCallId: question.toolCallId,
    ...(gate.type === 'ask' && gate.reason !== undefined ? { reason: gate.reason } : {}),
    approvalDescriptor: {
      ...(title === undefined ? {} : { title }),
      description,
      ...(risk === undefined ? {} : { risk }),
      requestedAt: new Date(requestedAt).toISOString(),
      ...(deadline === undefined ? {} : { deadline: new Date(deadline).toISOString() }),
      ...(escalation && { escalation: escalationJson(escalation) }),
      ...(position === undefined ? {} : { position }),
      ...(repeatOf === undefined
        ? {}
        : { repeatOf: { ...repeatOf, at: new Date(repeatOf.at).toISOString() } }),
      ...evidenceOf(question),
      askedBy,
      ...(runsAs === undefined ? {} : { runsAs }),
      ...(options && { options }),
      ...(needsInput && { needsInput }),
      ...(needsValue && { needsValue }),
      ...(votes && { votes: votesJson(votes) }),
      ...(editedBy && { editedBy }),
      ...may,
    } satisfies DescriptorJson,
  };
}

function evidenceOf({ riskReason, history, preview }: Question): Partial<DescriptorJson> {
  return {
    ...(riskReason === undefined ? {} : { riskReason }),
    ...(history && { history: historyJson(history) }),
    ...(preview && { preview: { ...preview, at: new Date(preview.at).toISOString() } }),
  };
}

/** Facts for pages in `providerMetadata`, which the SDK keeps with a part. Absent if there are none. */
export function factsFor(facts: { readonly position?: number; readonly withdrawn?: WithdrawalReason }): {
  providerMetadata?: ProviderMetadata;
} {
  return Object.keys(facts).length > 0 ? { providerMetadata: { countersign: facts } } : {};
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
      ...(reason === undefined ? {} : { reason }),
      // The reason of a withdrawal is for older clients: a person may deny with the same word.
      ...(!answered && withdrawn ? factsFor({ ...place, withdrawn: withdrawn.reason }) : {}),
    },
  ];
}
