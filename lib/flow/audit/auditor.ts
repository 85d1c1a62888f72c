import { createHmac } from 'node:crypto';
import { type ChatId, canonicalJson, type FlowEvent } from '../../vocabulary/index.ts';
import type { Call } from '../turn.ts';
import { type AuditEntry, auditFactsOf } from './audit-entry.ts';

/** Seals audit facts, each to the one before, with a key that is not in the database. */
export type Auditor = {
  /** The seal of an event's audit entry; `undefined` when the record does not tell of it. */
  seal(chatId: ChatId, previous: string | null, event: FlowEvent, call: Call): string | undefined;
  /** The audit entry that a sealed event gives. */
  entryOf(chatId: ChatId, event: FlowEvent, call: Call): AuditEntry | undefined;
};

/**
 * @param key at least 16 characters; whoever has it can seal, so keep it from the database's administrators
 * @throws RangeError for a shorter key, at start-up
 * @source ADR 0010
 */
export function createAuditor(key: string): Auditor {
  assertAuditKey(key);
  const digest = (value: unknown) => `hmac-sha256:${hmac(key, ['digest', canonicalJson(value)])}`;
  return {
    seal(chatId, previous, event, call) {
      const facts = auditFactsOf(chatId, event, call, digest);
      return facts && sealOf(key, previous, facts);
    },
    entryOf(chatId, event, call) {
      const facts = auditFactsOf(chatId, event, call, digest);
      return facts && event.seal !== undefined ? { ...facts, seal: event.seal } : undefined;
    },
  };
}

/** @throws RangeError for a key of less than 16 characters, which could be guessed */
export function assertAuditKey(key: string): void {
  if (key.length < 16) throw new RangeError('The audit key must have at least 16 characters of randomness.');
}

/** The seal of an entry's facts on top of the seal before. What `undefined` says is not said at all, as in JSON. */
export function sealOf(key: string, previous: string | null, facts: object): string {
  return hmac(key, ['seal', previous ?? '', canonicalJson(facts)]);
}

function hmac(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
