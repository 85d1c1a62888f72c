import type { ChatId, FlowEvent, StandingApproval } from '../../protocol/index.ts';
import type { Call } from '../turn/turn.ts';
import type { AuditEntry, AuditFacts } from './audit-entry.ts';
import { auditFactsOf } from './audit-facts.ts';
import { type AuditKey, createSeals, type Seals } from './audit-keys.ts';

/** What a check of one event's seal found. `unrecorded`: the record has no entry of such an event. */
export type SealCheck = 'sealed' | 'unsealed' | 'misplaced' | 'unknown-key' | 'unrecorded';

/** Seals audit facts in a chain, with keys that are not in the database. */
export type Auditor = {
  /** For records that are sealed outside of chats. */
  readonly seals: Seals;
  /**
   * The event with the seal of its audit entry; `undefined` when the record has no such entry. Both the given
   * and the returned event then count as verified.
   */
  sealed<Event extends FlowEvent>(
    chatId: ChatId,
    previous: string | null,
    event: Event,
    call: Call | undefined,
  ): (Event & { readonly seal: string }) | undefined;
  /** The audit entry that a sealed event gives. */
  entryOf(chatId: ChatId, event: FlowEvent, call: Call | undefined): AuditEntry | undefined;
  /**
   * Whether an event's seal is valid in its place after the previous seal. If so, the event counts as
   * verified from then on.
   */
  check(chatId: ChatId, previous: string | null, event: FlowEvent, call: Call | undefined): SealCheck;
  /** The approval with a seal on all of it. */
  sealedApproval(approval: StandingApproval): StandingApproval;
  /** True if a standing approval has a valid seal made by this flow. */
  provesApproval(approval: StandingApproval): boolean;
  /** True for an event (by object identity) that was sealed or checked in this process. */
  vouchesFor(event: FlowEvent): boolean;
};

/**
 * @param key anybody who has it can seal, so do not give it to the database's administrators
 * @throws CountersignError `invalid-settings` for a key of less than 16 characters, at start-up
 * @source ADR 0010
 */
export function createAuditor(key: AuditKey): Auditor {
  const seals = createSeals(key);
  const vouched = new WeakSet<FlowEvent>();

  function factsOf(chatId: ChatId, event: FlowEvent, call: Call | undefined): AuditFacts | undefined {
    // Without the key its digest cannot be computed. The current key is used instead, and the seal does not match.
    const digest = (value: unknown) => seals.digest(event.seal, value) ?? `${seals.digest(undefined, value)}`;
    return auditFactsOf(chatId, event, call, digest);
  }

  return {
    seals,
    sealed(chatId, previous, event, call) {
      const facts = factsOf(chatId, event, call);
      if (!facts) return undefined;
      const sealed = { ...event, seal: seals.make(previous, facts) };
      vouched.add(event).add(sealed);
      return sealed;
    },
    entryOf(chatId, event, call) {
      const facts = factsOf(chatId, event, call);
      return facts && event.seal !== undefined ? { ...facts, seal: event.seal } : undefined;
    },
    check(chatId, previous, event, call) {
      const facts = factsOf(chatId, event, call);
      if (event.seal === undefined) return facts ? 'unsealed' : 'unrecorded';
      const fits = facts ? seals.fits(event.seal, previous, facts) : false;
      if (fits) vouched.add(event);
      return fits ? 'sealed' : fits === undefined ? 'unknown-key' : 'misplaced';
    },
    sealedApproval: (approval) => ({ ...approval, seal: seals.make(null, standingFacts(approval)) }),
    provesApproval: (approval) =>
      approval.seal !== undefined && seals.fits(approval.seal, null, standingFacts(approval)) === true,
    vouchesFor: (event) => vouched.has(event),
  };
}

/** Named one by one, so that a field that is added to a row changes nothing. */
function standingFacts(approval: StandingApproval): object {
  const { id, by, approvalId, toolName, definition, covers, createdAt } = approval;
  return { standing: { id, by, approvalId, toolName, definition, covers, createdAt } };
}
