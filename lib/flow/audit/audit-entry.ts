import type { FlowEvent, JsonValue, Person } from '../../vocabulary/index.ts';
import { redact } from '../../vocabulary/index.ts';
import type { Call } from '../turn.ts';

/** What happened to a gated call, as the audit record tells it. Times are ISO 8601 in UTC. */
export type AuditFacts = {
  /** The event's place in the chat's log. */
  readonly seq: number;
  readonly at: string;
  readonly toolCallId: string;
  readonly toolName: string;
} & (
  | {
      readonly type: 'asked';
      readonly approvalId: string;
      readonly askedBy: Person;
      readonly description: string;
      /** The arguments as they were shown: redacted where the tool says so. */
      readonly input: JsonValue;
      readonly deadline?: string;
    }
  | {
      readonly type: 'answered';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
      readonly input?: JsonValue;
      readonly by: Person;
      readonly via: string;
    }
  | { readonly type: 'withdrawn'; readonly approvalId: string; readonly reason: string }
  | { readonly type: 'decided'; readonly approved: boolean; readonly reason?: string }
  | { readonly type: 'started'; readonly input: JsonValue }
  | {
      readonly type: 'ended';
      readonly outcome: 'completed' | 'failed' | 'denied' | 'cancelled';
      readonly error?: string;
      /** A digest of the whole output, keyed, so that it can be compared but not guessed. */
      readonly digest?: string;
    }
);

/** One entry of a chat's audit record, sealed to the one before it. */
export type AuditEntry = AuditFacts & { readonly seal: string };

/**
 * The audit facts of an event; `undefined` for what the record does not tell: prose, and calls without a gate.
 *
 * @param digest of the output of a completed call
 */
export function auditFactsOf(
  event: FlowEvent,
  call: Call,
  digest: (output: JsonValue) => string,
): AuditFacts | undefined {
  const { gate, toolCallId, toolName, input, secrets } = call.requested;
  if (gate.type === 'none') return undefined;
  const common = { seq: event.seq, at: new Date(event.at).toISOString(), toolCallId, toolName };
  switch (event.type) {
    case 'tool-requested':
      if (gate.type !== 'automatic') return undefined;
      return { ...common, type: 'decided', approved: gate.approved, ...optional('reason', gate.reason) };
    case 'approval-requested': {
      const deadline = event.deadline === undefined ? undefined : new Date(event.deadline).toISOString();
      const { approvalId, askedBy, description } = event;
      const shown = redact(input, secrets?.input);
      return {
        ...common,
        type: 'asked',
        approvalId,
        askedBy,
        description,
        input: shown,
        ...optional('deadline', deadline),
      };
    }
    case 'approval-answered': {
      const { approvalId, approved, by, via } = event;
      const edited = event.input === undefined ? undefined : redact(event.input, secrets?.input);
      const answer = { ...optional('reason', event.reason), ...optional('input', edited) };
      return { ...common, type: 'answered', approvalId, approved, ...answer, by, via };
    }
    case 'approval-withdrawn':
      return { ...common, type: 'withdrawn', approvalId: event.approvalId, reason: event.reason };
    case 'tool-started':
      return { ...common, type: 'started', input: redact(event.input, secrets?.input) };
    case 'tool-completed':
      return { ...common, type: 'ended', outcome: 'completed', digest: digest(event.output) };
    case 'tool-failed':
      return { ...common, type: 'ended', outcome: 'failed', error: event.error };
    case 'tool-denied':
      return { ...common, type: 'ended', outcome: 'denied', ...optional('error', event.reason) };
    case 'tool-cancelled':
      return { ...common, type: 'ended', outcome: 'cancelled', error: event.reason };
    default:
      return undefined;
  }
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value });
}
