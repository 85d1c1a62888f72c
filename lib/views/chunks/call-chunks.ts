import type { UIMessageChunk } from 'ai';
import { problemOf } from '../../log/status-fields.ts';
import type { Call } from '../../log/turn.ts';
import { type EventOf, type JsonValue, type Question, redact } from '../../protocol/index.ts';
import type { QuestionRights, QuestionView } from '../../rights/question-rights.ts';

/** Shows a call: its input, and the automatic approval pair if it had one, by its gate or as remembered. @source T1, T3 */
export function showCall(call: Call, settledByServer = false): UIMessageChunk[] {
  const { requested, granted, kept, asked, answered } = call;
  const { toolCallId, toolName, executor, gate, title, dynamic, secrets } = requested;
  // A client runs what stands in its part, so it is given what the schema made of the arguments.
  const given = executor === 'client' ? (requested.runsAs ?? requested.input) : requested.input;
  const input = redact(given, secrets?.input);
  const common = {
    toolCallId,
    toolName,
    ...(title === undefined ? {} : { title }),
    ...(dynamic ? { dynamic } : {}),
    ...(executor === 'provider' || settledByServer ? { providerExecuted: true } : {}),
  };
  const shown: UIMessageChunk[] = [
    { type: 'tool-input-start', ...common },
    { type: 'tool-input-available', ...common, input },
  ];
  if (gate.type === 'automatic') {
    const { approvalId, approved, reason } = gate;
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved, ...(reason === undefined ? {} : { reason }) },
    );
  }
  if (kept && asked && answered) {
    // Its question was asked and answered in an earlier message: nobody is asked anything here.
    const { approvalId } = asked;
    const { approved, reason } = answered;
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved, ...(reason === undefined ? {} : { reason }) },
    );
  }
  if (granted) {
    const { approvalId, by } = granted;
    const reason = `Remembered: ${by.name} approved this before.`;
    shown.push(
      { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
      { type: 'tool-approval-response', approvalId, approved: true, reason },
    );
  }
  return shown;
}

/** Asks: the question's chunk, with what the card must obey. @source H13 */
export function askChunk(
  call: Call,
  question: Question,
  rights: QuestionRights & Pick<QuestionView, 'outdated'>,
): UIMessageChunk {
  const { gate } = call.requested;
  const { id, title, description, risk, deadline, position, askedBy, runsAs } = question;
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
      ...(deadline === undefined ? {} : { deadline: new Date(deadline).toISOString() }),
      ...(position === undefined ? {} : { position }),
      ...(repeatOf === undefined
        ? {}
        : { repeatOf: { ...repeatOf, at: new Date(repeatOf.at).toISOString() } }),
      askedBy,
      ...(runsAs === undefined ? {} : { runsAs }),
      ...may,
    },
  };
}

/** How a question was settled, for readers that did not settle it. @source T2, T16 */
export function settledChunk({ asked, answered, withdrawn }: Call): UIMessageChunk[] {
  if (!asked || !(answered || withdrawn)) return [];
  const reason = answered?.reason ?? withdrawn?.reason;
  return [
    {
      type: 'tool-approval-response',
      approvalId: asked.approvalId,
      approved: answered?.approved === true,
      ...(reason === undefined ? {} : { reason }),
      // The reason of a withdrawal is for older clients: a person may deny with the same word.
      ...(!answered && withdrawn
        ? { providerMetadata: { countersign: { withdrawn: withdrawn.reason } } }
        : {}),
    },
  ];
}

/**
 * A call's outcome. A call that was never shown is shown right before it; invalid input is its own outcome.
 * What the server settled for a client tool is marked as executed elsewhere, so no client runs or counts it.
 *
 * @source T3
 */
export function outcomeChunks(call: Call, shown: boolean): UIMessageChunk[] {
  const { requested, end } = call;
  if (!end) return [];
  const { toolCallId, toolName, executor, dynamic, title, secrets } = requested;
  const settledByServer =
    executor === 'client' &&
    (call.kept !== undefined ||
      requested.invalid ||
      end.type === 'tool-cancelled' ||
      (end.type === 'tool-denied' && !shown));
  const elsewhere = executor === 'provider' || settledByServer ? { providerExecuted: true } : {};
  const common = { toolCallId, ...(dynamic ? { dynamic } : {}), ...elsewhere };

  if (requested.invalid && end.type === 'tool-failed' && !shown) {
    const input = redact(requested.input, secrets?.input);
    const named = { ...common, toolName, input, ...(title === undefined ? {} : { title }) };
    return [{ type: 'tool-input-error', ...named, errorText: end.error }];
  }
  const before = shown ? [] : showCall(call, settledByServer);
  switch (end.type) {
    case 'tool-completed':
    case 'tool-failed': {
      const metadata = outcomeFacts(call);
      return end.type === 'tool-completed'
        ? [
            ...before,
            {
              type: 'tool-output-available',
              ...common,
              ...metadata,
              output: redact(end.output, secrets?.output),
            },
          ]
        : [...before, { type: 'tool-output-error', ...common, ...metadata, errorText: end.error }];
    }
    case 'tool-denied':
      return [...before, { type: 'tool-output-denied', toolCallId }];
    case 'tool-cancelled':
      return [
        ...before,
        { type: 'tool-output-error', ...common, ...outcomeFacts(call), errorText: end.reason },
      ];
    default:
      return end satisfies never;
  }
}

/** Who said what became of a call whose outcome was unknown, and when. */
function resolvedFacts({ source, outcome, by, note, at }: EventOf<'outcome-resolved'>) {
  return {
    source,
    outcome,
    at: new Date(at).toISOString(),
    ...(by === undefined ? {} : { by: { id: by.id, name: by.name } }),
    ...(note === undefined ? {} : { note }),
  };
}

/**
 * What a card tells of an outcome beside it, where a reload finds it again. A client tool's outcome is made by the
 * client, which cannot know this, so nothing is added to what it has itself.
 */
function outcomeFacts({ requested, answered, started, retried, end, resolved }: Call): {
  toolMetadata?: { countersign: Record<string, JsonValue> };
} {
  if (requested.executor === 'client' || !end) return {};
  const { durationMs } = end;
  const facts: Record<string, JsonValue> = {
    ...(started && answered?.input !== undefined
      ? { input: redact(started.input, requested.secrets?.input) }
      : {}),
    ...(end.type === 'tool-completed' ? { summary: end.summary, resultCount: end.resultCount } : {}),
    ...(end.type === 'tool-failed' && end.outcome === 'unknown'
      ? { outcome: 'unknown', problem: problemOf(end) }
      : {}),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(retried ? { wasRetried: true } : {}),
    ...(resolved ? { resolved: resolvedFacts(resolved) } : {}),
  };
  return Object.keys(facts).length > 0 ? { toolMetadata: { countersign: facts } } : {};
}
