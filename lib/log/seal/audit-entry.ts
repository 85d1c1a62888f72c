import type {
  AnswerRule,
  ChatId,
  Executor,
  FlowEvent,
  GrantMatch,
  GrantScope,
  JsonValue,
  Person,
  Risk,
} from '../../protocol/index.ts';
import { redact } from '../../protocol/index.ts';
import type { ResolutionJson } from '../../protocol/wire/resolution.ts';
import { redactParsed } from '../redaction.ts';
import type { Call } from '../turn/turn.ts';

/** The arguments as people were shown them, redacted where the tool says so. */
type ShownInput = {
  readonly input: JsonValue;
  /**
   * A digest of the whole arguments, where some of them are redacted: equal digests mean that what ran is what was
   * approved. Keyed, so that it can be compared but not guessed.
   */
  readonly inputDigest?: string;
  /** What the tool gets for them, redacted likewise, where its schema makes something else of them. */
  readonly runsAs?: JsonValue;
  readonly runsAsDigest?: string;
};

/**
 * Who answered. Role, session and sign-in are those of the request that brought the answer; `authenticatedAt` is
 * ISO 8601 in UTC.
 */
export type Approver = Person & {
  readonly role?: string;
  readonly sessionId?: string;
  readonly authenticatedAt?: string;
  readonly authenticationMethods?: readonly string[];
};

/** What happened to a call, as the audit record has it. Times are ISO 8601 in UTC. */
export type AuditFacts = {
  /** In every entry, so that no chat's record passes for another's. */
  readonly chatId: ChatId;
  /** The event's place in the chat's log. */
  readonly seq: number;
  readonly at: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Missing when the server runs the call, and in entries of older versions. */
  readonly executor?: Executor;
} & (
  | ({
      readonly type: 'asked';
      readonly approvalId: string;
      readonly askedBy: Person;
      readonly description: string;
      readonly deadline?: string;
      readonly risk?: Risk;
      /** Of the tool as it was defined, with risk, title and sentence. @source ADR 0020 */
      readonly digest?: string;
      /** The question that was withdrawn for this one. */
      readonly replaces?: string;
    } & ShownInput)
  /** An older question was given its digest. */
  | { readonly type: 'bound'; readonly approvalId: string; readonly digest: string }
  | ({
      readonly type: 'answered';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
      readonly by: Approver;
      readonly via: string;
      /** By which rule this person was allowed to answer. Missing in entries of older versions. */
      readonly rule?: AnswerRule;
      /** A digest of the arguments that were approved. Missing in denials, and in entries of older versions. */
      readonly approves?: string;
      /** Present if the approval is remembered for later calls. */
      readonly remembered?: {
        readonly grantId: string;
        readonly scope: GrantScope;
        readonly match: GrantMatch;
      };
      /** Present when the arguments were edited. */
    } & Partial<ShownInput>)
  | { readonly type: 'withdrawn'; readonly approvalId: string; readonly reason: string }
  /** The flow's own policy decided, without asking. */
  | ({
      readonly type: 'decided';
      readonly approved: boolean;
      readonly reason?: string;
      readonly rule?: 'policy';
    } & ShownInput)
  | ({
      /** A remembered approval replaced the question; `by` gave it. */
      readonly type: 'granted';
      readonly approvalId: string;
      readonly grantId: string;
      readonly by: Person;
      readonly rule?: 'grant';
    } & ShownInput)
  /** A call that the flow's policy does not gate. */
  | ({ readonly type: 'requested'; readonly gate: 'none' } & ShownInput)
  | ({ readonly type: 'started'; readonly gate?: 'none' } & ShownInput)
  | {
      readonly type: 'ended';
      readonly gate?: 'none';
      readonly outcome: 'completed' | 'failed' | 'denied' | 'cancelled' | 'unknown';
      readonly error?: string;
      /** A digest of the whole output, keyed likewise. */
      readonly digest?: string;
    }
  | {
      /** What became of a call that was recorded as unknown: `late` is the report of the process that ran it. */
      readonly type: 'resolved';
      readonly source: ResolutionJson['source'];
      readonly outcome: ResolutionJson['outcome'];
      readonly by?: Person;
      readonly note?: string;
      readonly error?: string;
      readonly digest?: string;
    }
);

/** One entry of a chat's audit record, sealed to the one before it. */
export type AuditEntry = AuditFacts & { readonly seal: string };

/**
 * The audit facts of an event; `undefined` for prose, and for what is not about a call.
 *
 * @param digest of outputs, and of inputs that are not shown whole
 * @param isFirstForm true gives the facts that seals of the first form cover: fewer, and none of calls without a gate.
 *   Facts are part of a seal, so what was added later is left out of them
 */
export function auditFactsOf(
  chatId: ChatId,
  event: FlowEvent,
  call: Call,
  digest: (value: JsonValue) => string,
  isFirstForm = false,
): AuditFacts | undefined {
  const { gate, toolCallId, toolName, input, secrets, executor, invalid } = call.requested;
  const isUngated = gate.type === 'none';
  if (isUngated && (isFirstForm || invalid)) return undefined;
  const at = new Date(event.at).toISOString();
  const common = {
    chatId,
    seq: event.seq,
    at,
    toolCallId,
    toolName,
    ...added({ executor: otherThanOurs() }),
  };
  const ungated = isUngated ? { gate: 'none' as const } : {};

  switch (event.type) {
    case 'tool-requested': {
      if (gate.type === 'none')
        return { ...common, type: 'requested', gate: 'none', ...shown(input, event.runsAs) };
      if (gate.type !== 'automatic') return undefined;
      const { approved, reason } = gate;
      return {
        ...common,
        type: 'decided',
        approved,
        reason,
        ...added({ rule: 'policy' as const }),
        ...shown(input, event.runsAs),
      };
    }
    case 'approval-requested': {
      const { approvalId, askedBy, description, risk, runsAs, replaces } = event;
      const deadline = event.deadline === undefined ? undefined : new Date(event.deadline).toISOString();
      const bound = { risk, digest: event.digest, replaces };
      const asked = { type: 'asked' as const, approvalId, askedBy, description, deadline };
      return { ...common, ...asked, ...added(bound), ...shown(input, runsAs) };
    }
    case 'approval-bound':
      return { ...common, type: 'bound', approvalId: event.approvalId, digest: event.digest };
    case 'approval-answered': {
      const { approvalId, approved, reason, by, via, approver, rule } = event;
      const edited = event.input === undefined ? {} : shown(event.input, event.runsAs);
      const { grantId, scope, match } = event.remembered ?? {};
      const remembered = grantId && scope && match && { grantId, scope, match };
      const granted = remembered ? { remembered } : {};
      const approves = approved ? digest(event.input ?? input) : undefined;
      const who = { ...by, ...added({ ...approver }) };
      const answered = { type: 'answered' as const, approvalId, approved, reason };
      return { ...common, ...answered, ...edited, by: who, via, ...granted, ...added({ rule, approves }) };
    }
    case 'approval-granted': {
      const { approvalId, grantId, by } = event;
      const granted = { type: 'granted' as const, approvalId, grantId, by };
      const byGrant = added({ rule: 'grant' as const });
      return { ...common, ...granted, ...byGrant, ...shown(input, call.requested.runsAs) };
    }
    case 'approval-withdrawn':
      return { ...common, type: 'withdrawn', approvalId: event.approvalId, reason: event.reason };
    case 'tool-started':
      return { ...common, ...ungated, type: 'started', ...shown(event.input, event.runsAs) };
    case 'tool-completed':
      return { ...common, ...ungated, type: 'ended', outcome: 'completed', digest: digest(event.output) };
    case 'tool-failed': {
      const outcome = !isFirstForm && event.outcome === 'unknown' ? 'unknown' : 'failed';
      return { ...common, ...ungated, type: 'ended', outcome, error: event.error };
    }
    case 'tool-denied':
      return { ...common, ...ungated, type: 'ended', outcome: 'denied', error: event.reason };
    case 'tool-cancelled':
      return { ...common, ...ungated, type: 'ended', outcome: 'cancelled', error: event.reason };
    case 'outcome-resolved': {
      const { source, outcome, by, note, error, output } = event;
      const facts = { type: 'resolved' as const, source, outcome, by, note, error };
      return { ...common, ...facts, ...(output === undefined ? {} : { digest: digest(output) }) };
    }
    default:
      return undefined;
  }

  function shown(whole: JsonValue, runsAs?: JsonValue): ShownInput {
    const parsed = runsAs === undefined ? undefined : redactParsed(runsAs, whole, secrets?.input);
    return {
      input: redact(whole, secrets?.input),
      ...(secrets?.input && { inputDigest: digest(whole) }),
      ...(runsAs !== undefined && { runsAs: parsed as JsonValue }),
      ...(runsAs !== undefined && secrets?.input && { runsAsDigest: digest(runsAs) }),
    };
  }

  function otherThanOurs(): Executor | undefined {
    return executor === 'server' ? undefined : executor;
  }

  /** What the first form does not cover. */
  function added<Facts extends object>(facts: Facts): Partial<Facts> {
    return isFirstForm ? {} : facts;
  }
}
