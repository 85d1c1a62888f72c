import type { ChatId, FlowEvent, Grant } from '../../protocol/index.ts';
import type { Call } from '../turn/turn.ts';
import type { AuditEntry, AuditFacts } from './audit-entry.ts';
import { auditFactsOf } from './audit-facts.ts';
import { type AuditKey, createSeals, isSecondForm, type Seals } from './audit-keys.ts';

/** What a check of one event's seal found. `unrecorded`: the record has no entry of such an event. */
export type SealCheck = 'sealed' | 'unsealed' | 'misplaced' | 'unknown-key' | 'unrecorded';

/** Seals audit facts, each to the one before, with keys that are not in the database. */
export type Auditor = {
  /** For what is sealed beside chats. */
  readonly seals: Seals;
  /**
   * The event with the seal of its audit entry; `undefined` when the record has no such entry. The event given and the one
   * returned count as vouched for.
   */
  sealed<Event extends FlowEvent>(
    chatId: ChatId,
    previous: string | null,
    event: Event,
    call: Call,
  ): (Event & { readonly seal: string }) | undefined;
  /** The audit entry that a sealed event gives. */
  entryOf(chatId: ChatId, event: FlowEvent, call: Call): AuditEntry | undefined;
  /** Whether an event's seal fits it, in its place after the seal before. One that does is vouched for from then on. */
  check(chatId: ChatId, previous: string | null, event: FlowEvent, call: Call): SealCheck;
  /** The grant with a seal on what it covers and who gave it. */
  sealedGrant(grant: Grant): Grant;
  /** True when a grant bears a seal of ours that fits it. */
  provesGrant(grant: Grant): boolean;
  /** True for an event, as this very object, that was sealed or checked in this process. */
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

  /** The facts that an event's seal covers, or would cover when it is made now. */
  function factsOf(chatId: ChatId, event: FlowEvent, call: Call): AuditFacts | undefined {
    const isFirstForm = event.seal !== undefined && !isSecondForm(event.seal);
    // Without the key its digest cannot be computed. The current key is used instead, and the seal does not match.
    const digest = (value: unknown) => seals.digest(event.seal, value) ?? `${seals.digest(undefined, value)}`;
    return auditFactsOf(chatId, event, call, digest, isFirstForm);
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
    sealedGrant: (grant) => ({ ...grant, seal: seals.make(null, grantFacts(grant)) }),
    provesGrant: (grant) =>
      grant.seal !== undefined && seals.fits(grant.seal, null, grantFacts(grant)) === true,
    vouchesFor: (event) => vouched.has(event),
  };
}

/** What of a grant decides which calls it covers. Its key says the rest: tool, definition and arguments. */
function grantFacts({ id, key, by, scope, match, chatId, toolName, approvalId, createdAt }: Grant): object {
  return { grant: { id, key, by, scope, match, chatId, toolName, approvalId, createdAt } };
}
