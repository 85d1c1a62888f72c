import type { ChatId, FlowEvent, GrantMatch, GrantScope, JsonValue, Person } from '../../vocabulary/index.ts';
import { redact } from '../../vocabulary/index.ts';
import type { Call } from '../turn.ts';

/** The arguments as people were shown them, redacted where the tool says so. */
type ShownInput = {
  readonly input: JsonValue;
  /**
   * A digest of the whole arguments, where some of them are redacted: equal digests mean that what ran is what was
   * approved. Keyed, so that it can be compared but not guessed.
   */
  readonly inputDigest?: string;
};

/** What happened to a gated call, as the audit record tells it. Times are ISO 8601 in UTC. */
export type AuditFacts = {
  /** Told in every entry, so that no chat's record passes for another's. */
  readonly chatId: ChatId;
  /** The event's place in the chat's log. */
  readonly seq: number;
  readonly at: string;
  readonly toolCallId: string;
  readonly toolName: string;
} & (
  | ({
      readonly type: 'asked';
      readonly approvalId: string;
      readonly askedBy: Person;
      readonly description: string;
      readonly deadline?: string;
    } & ShownInput)
  | ({
      readonly type: 'answered';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
      readonly by: Person;
      readonly via: string;
      /** Present when the approval is to stand for later calls. */
      readonly remembered?: {
        readonly grantId: string;
        readonly scope: GrantScope;
        readonly match: GrantMatch;
      };
      /** Present when the arguments were edited. */
    } & Partial<ShownInput>)
  | { readonly type: 'withdrawn'; readonly approvalId: string; readonly reason: string }
  | ({ readonly type: 'decided'; readonly approved: boolean; readonly reason?: string } & ShownInput)
  | ({
      /** A remembered approval stood in for the question; `by` gave it. */
      readonly type: 'granted';
      readonly approvalId: string;
      readonly grantId: string;
      readonly by: Person;
    } & ShownInput)
  | ({ readonly type: 'started' } & ShownInput)
  | {
      readonly type: 'ended';
      readonly outcome: 'completed' | 'failed' | 'denied' | 'cancelled';
      readonly error?: string;
      /** A digest of the whole output, keyed likewise. */
      readonly digest?: string;
    }
);

/** One entry of a chat's audit record, sealed to the one before it. */
export type AuditEntry = AuditFacts & { readonly seal: string };

/**
 * The audit facts of an event; `undefined` for what the record does not tell: prose, and calls without a gate.
 *
 * @param digest of outputs, and of inputs that are not shown whole
 */
export function auditFactsOf(
  chatId: ChatId,
  event: FlowEvent,
  call: Call,
  digest: (value: JsonValue) => string,
): AuditFacts | undefined {
  const { gate, toolCallId, toolName, input, secrets } = call.requested;
  if (gate.type === 'none') return undefined;
  const common = { chatId, seq: event.seq, at: new Date(event.at).toISOString(), toolCallId, toolName };
  const shown = (whole: JsonValue): ShownInput =>
    secrets?.input ? { input: redact(whole, secrets.input), inputDigest: digest(whole) } : { input: whole };
  switch (event.type) {
    case 'tool-requested': {
      if (gate.type !== 'automatic') return undefined;
      const { approved, reason } = gate;
      return { ...common, type: 'decided', approved, reason, ...shown(input) };
    }
    case 'approval-requested': {
      const { approvalId, askedBy, description } = event;
      const deadline = event.deadline === undefined ? undefined : new Date(event.deadline).toISOString();
      return { ...common, type: 'asked', approvalId, askedBy, description, deadline, ...shown(input) };
    }
    case 'approval-answered': {
      const { approvalId, approved, reason, by, via } = event;
      const edited = event.input === undefined ? {} : shown(event.input);
      const { grantId, scope, match } = event.remembered ?? {};
      const remembered = grantId && scope && match && { grantId, scope, match };
      const told = remembered ? { remembered } : {};
      return { ...common, type: 'answered', approvalId, approved, reason, ...edited, by, via, ...told };
    }
    case 'approval-granted': {
      const { approvalId, grantId, by } = event;
      return { ...common, type: 'granted', approvalId, grantId, by, ...shown(input) };
    }
    case 'approval-withdrawn':
      return { ...common, type: 'withdrawn', approvalId: event.approvalId, reason: event.reason };
    case 'tool-started':
      return { ...common, type: 'started', ...shown(event.input) };
    case 'tool-completed':
      return { ...common, type: 'ended', outcome: 'completed', digest: digest(event.output) };
    case 'tool-failed':
      return { ...common, type: 'ended', outcome: 'failed', error: event.error };
    case 'tool-denied':
      return { ...common, type: 'ended', outcome: 'denied', error: event.reason };
    case 'tool-cancelled':
      return { ...common, type: 'ended', outcome: 'cancelled', error: event.reason };
    default:
      return undefined;
  }
}
