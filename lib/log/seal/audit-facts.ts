import {
  type ChatId,
  type EscalationPlan,
  type FlowEvent,
  type JsonValue,
  type QuestionOption,
  type RecordedPreview,
  redact,
} from '../../protocol/index.ts';
import { redactParsed } from '../redaction.ts';
import { shownOptions } from '../shown-options.ts';
import type { Call } from '../turn/turn.ts';
import type { AuditFacts, ShownInput } from './audit-entry.ts';

/**
 * The audit facts of an event; `undefined` for text, and for events that are not about a call.
 *
 * @param digest of outputs, and of inputs that are not shown whole
 */
export function auditFactsOf(
  chatId: ChatId,
  event: FlowEvent,
  call: Call,
  digest: Digest,
): AuditFacts | undefined {
  const { gate, toolCallId, toolName, executor, invalid } = call.requested;
  if (gate.type === 'none' && invalid) return undefined;
  const form = formOf(call, digest);
  const facts =
    gateFacts(event, call, form) ?? questionFacts(event, call, form) ?? runFacts(event, call, form);
  if (!facts) return undefined;
  const at = new Date(event.at).toISOString();
  return {
    chatId,
    seq: event.seq,
    at,
    toolCallId,
    toolName,
    executor: executor !== 'server' ? executor : undefined,
    ...facts,
  };
}

/** Facts of one kind of event, without the common ones. */
type OwnFacts = WithoutCommon<AuditFacts>;
type WithoutCommon<Facts> = Facts extends unknown ? Omit<Facts, CommonFact> : never;
type CommonFact = 'chatId' | 'seq' | 'at' | 'toolCallId' | 'toolName' | 'executor';

type Digest = (value: JsonValue) => string;

/** How the values of a call appear in its facts. */
type Form = {
  readonly digest: Digest;
  /** Arguments as people were shown them. */
  readonly shown: (input: JsonValue, runsAs?: JsonValue) => ShownInput;
};

function formOf({ requested: { secrets } }: Call, digest: Digest): Form {
  return {
    digest,
    shown: (whole, runsAs) => ({
      input: redact(whole, secrets?.input),
      inputDigest: secrets?.input ? digest(whole) : undefined,
      runsAs: runsAs === undefined ? undefined : (redactParsed(runsAs, whole, secrets?.input) as JsonValue),
      runsAsDigest: runsAs !== undefined && secrets?.input ? digest(runsAs) : undefined,
    }),
  };
}

/** What the flow's policy decided about a call. */
function gateFacts(event: FlowEvent, { requested }: Call, { shown }: Form): OwnFacts | undefined {
  if (event.type !== 'tool-requested') return undefined;
  const { gate, input } = requested;
  switch (gate.type) {
    case 'none':
      return { type: 'requested', gate: 'none', ...shown(input, event.runsAs) };
    case 'automatic': {
      const { approved, reason } = gate;
      return { type: 'decided', approved, reason, rule: 'policy', ...shown(input, event.runsAs) };
    }
    default:
      return undefined;
  }
}

/** What happened to a question, or to the approval that replaced it. */
function questionFacts(event: FlowEvent, { requested }: Call, { digest, shown }: Form): OwnFacts | undefined {
  switch (event.type) {
    case 'approval-requested': {
      const { approvalId, askedBy, description, risk, riskReason, runsAs, replaces } = event;
      const deadline = event.deadline === undefined ? undefined : new Date(event.deadline).toISOString();
      const effect = event.preview && effectDigest(event.preview);
      const { approvals, droppedVotes } = event;
      const several = approvals && { approvals, droppedVotes, editedBy: requested.editedBy };
      const escalation = event.escalation && escalationFacts(event.escalation);
      const options = event.options && optionFacts(event.options, requested, digest);
      const facts = { risk, riskReason, digest: event.digest, replaces, effect, escalation, options };
      const asked = { approvalId, askedBy, description, deadline };
      return { type: 'asked', ...asked, ...facts, ...several, ...shown(requested.input, runsAs) };
    }
    case 'approval-previewed':
      // An unchanged effect adds nothing to the record.
      return event.preview
        ? { type: 'previewed', approvalId: event.approvalId, effect: effectDigest(event.preview) }
        : undefined;
    case 'approval-escalated': {
      const { approvalId, step, label } = event;
      return { type: 'escalated', approvalId, step, label };
    }
    case 'approval-reminded':
      return { type: 'reminded', approvalId: event.approvalId, number: event.number };
    case 'approval-answered': {
      const { approvalId, approved, reason, by, onBehalfOf, via, approver, rule } = event;
      const edited = event.input === undefined ? {} : shown(event.input, event.runsAs);
      const { grantId, scope, match } = event.remembered ?? {};
      const remembered = grantId && scope && match && { grantId, scope, match };
      const granted = remembered ? { remembered } : {};
      const value = event.value === undefined ? undefined : redact(event.value, requested.secrets?.output);
      const approves = approved ? digest(event.input ?? requested.input) : undefined;
      const who = { ...by, ...approver };
      const answered = { type: 'answered' as const, approvalId, approved, reason };
      return {
        ...answered,
        ...edited,
        by: who,
        ...(onBehalfOf && { onBehalfOf }),
        via,
        ...granted,
        rule,
        approves,
        effect: event.previewDigest,
        option: event.option,
        value,
      };
    }
    case 'approval-voted': {
      const { approvalId, approved, reason, by, onBehalfOf, via, approver, rule } = event;
      const who = { by: { ...by, ...approver }, onBehalfOf, via, rule };
      const shown = { digest: event.digest, effect: event.previewDigest };
      const approves = approved ? digest(requested.input) : undefined;
      return { type: 'voted', approvalId, approved, reason, ...who, ...shown, approves };
    }
    case 'approval-granted': {
      const { approvalId, grantId, by } = event;
      const rule = event.advance ? 'advance' : 'grant';
      return { type: 'granted', approvalId, grantId, by, rule, ...shown(requested.input, requested.runsAs) };
    }
    case 'advance-approved': {
      const { type, grantId, by, via, rule, risk, approver } = event;
      const who = { ...by, ...approver };
      const seen = shown(requested.input, requested.runsAs);
      return { type, grantId, digest: event.digest, risk, by: who, via, rule, ...seen };
    }
    case 'advance-revoked': {
      const { type, grantId, by, via } = event;
      return { type, grantId, by, via };
    }
    case 'approval-withdrawn':
      return { type: 'withdrawn', approvalId: event.approvalId, reason: event.reason };
    default:
      return undefined;
  }
}

function escalationFacts({ steps, end }: EscalationPlan) {
  const shown = steps.map(({ at, label }) => ({
    at: new Date(at).toISOString(),
    label,
  }));
  return { steps: shown, end };
}

function optionFacts(
  options: readonly QuestionOption[],
  requested: Call['requested'],
  digest: Digest,
): Extract<AuditFacts, { type: 'asked' }>['options'] {
  const isHidden = requested.secrets?.input !== undefined;
  return shownOptions(options, requested).map((option, index) => {
    const { input, runsAs } = options[index] ?? {};
    return {
      ...option,
      ...(isHidden && input !== undefined && { inputDigest: digest(input) }),
      ...(isHidden && runsAs !== undefined && { runsAsDigest: digest(runsAs) }),
    };
  });
}

function effectDigest(preview: RecordedPreview): string {
  return preview.state === 'made' ? preview.digest : preview.state;
}

/** What happened to a call: its start, its end, and an outcome that became known later. */
function runFacts(event: FlowEvent, { requested }: Call, { digest, shown }: Form): OwnFacts | undefined {
  const ungated = requested.gate.type === 'none' ? { gate: 'none' as const } : {};
  const ended = { ...ungated, type: 'ended' as const };
  switch (event.type) {
    case 'tool-started':
      return { ...ungated, type: 'started', ...shown(event.input, event.runsAs) };
    case 'tool-completed':
      return { ...ended, outcome: 'completed', digest: digest(event.output) };
    case 'tool-failed': {
      const outcome = event.outcome === 'unknown' ? 'unknown' : 'failed';
      return { ...ended, outcome, error: event.error };
    }
    case 'tool-denied':
      return { ...ended, outcome: 'denied', error: event.reason };
    case 'tool-cancelled':
      return { ...ended, outcome: 'cancelled', error: event.reason };
    case 'outcome-resolved': {
      const { source, outcome, by, note, error, output } = event;
      const known = { type: 'resolved' as const, source, outcome, by, note, error };
      return { ...known, ...(output === undefined ? {} : { digest: digest(output) }) };
    }
    default:
      return undefined;
  }
}
