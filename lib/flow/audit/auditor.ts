import { createHmac } from 'node:crypto';
import { canonicalJson, type FlowEvent } from '../../vocabulary/index.ts';
import type { Call } from '../turn.ts';
import { type AuditEntry, type AuditFacts, auditFactsOf } from './audit-entry.ts';

/** Seals audit facts, each to the one before, with a key that is not in the database. */
export type Auditor = {
  /** The seal of an event's audit entry; `undefined` when the record does not tell of it. */
  seal(previous: string | null, event: FlowEvent, call: Call): string | undefined;
  /** The audit entry that a sealed event gives. */
  entryOf(event: FlowEvent, call: Call): AuditEntry | undefined;
};

/**
 * @param key at least 16 characters; whoever has it can seal, so keep it from the database's administrators
 * @throws RangeError for a shorter key, at start-up
 */
export function createAuditor(key: string): Auditor {
  if (key.length < 16) throw new RangeError('The audit key must have at least 16 characters of randomness.');
  const digest = (output: unknown) => `hmac-sha256:${hmac(key, ['digest', canonicalJson(output)])}`;
  return {
    seal(previous, event, call) {
      const facts = auditFactsOf(event, call, digest);
      return facts && sealOf(key, previous, facts);
    },
    entryOf(event, call) {
      const facts = auditFactsOf(event, call, digest);
      return facts && event.seal !== undefined ? { ...facts, seal: event.seal } : undefined;
    },
  };
}

/** What a check of an audit record found: the first entry that does not fit, and why. */
export type AuditFault = { readonly index: number; readonly message: string };

/**
 * Checks a record from its first entry on: a changed, removed or moved entry breaks the chain where it stands.
 * An entry cut off the end is found by comparing with a head that was noted before.
 *
 * @param expectedHead the seal of the last entry, as an earlier export printed it
 * @returns nothing when the record is whole
 */
export function verifyAudit(
  entries: readonly AuditEntry[],
  key: string,
  expectedHead?: string,
): AuditFault | undefined {
  let previous: string | null = null;
  for (const [index, { seal, ...facts }] of entries.entries()) {
    if (sealOf(key, previous, facts as AuditFacts) !== seal) {
      return { index, message: `Entry ${index + 1} was changed, or the one before it is missing.` };
    }
    previous = seal;
  }
  if (expectedHead === undefined || entries.some(({ seal }) => seal === expectedHead)) return undefined;
  return { index: entries.length, message: 'The record was cut: it does not reach the expected head.' };
}

function sealOf(key: string, previous: string | null, facts: AuditFacts): string {
  return hmac(key, ['seal', previous ?? '', canonicalJson(facts)]);
}

function hmac(key: string, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
