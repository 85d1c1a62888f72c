import { CountersignError } from './errors.ts';
import { isRecord, toJson } from './json.ts';

/**
 * Who acts: named in every call of the flow, handed to tools, written into the log.
 * `id` decides ownership; `name` is what people read.
 */
export type Principal = {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  /** Names the session in the audit record. Never what grants it: the record is read by others. */
  readonly sessionId?: string;
  /**
   * When this person last proved who they are, in epoch milliseconds: the sign-in, or a second factor since.
   * What `stepUp` of a tool is held to; without it nobody passes.
   */
  readonly authenticatedAt?: number;
  /** How they proved it, as names of the host's choice; RFC 8176 has `pwd`, `otp`, `hwk`, `mfa` and more. */
  readonly authenticationMethods?: readonly string[];
};

/** Everything that was known of a principal when it asked, as JSON. `recordedAt`: epoch milliseconds. @source ADR 0015 */
export type RecordedPrincipal = Principal & { readonly recordedAt: number };

/** The part of a principal that is recorded and shown. */
export type Person = { readonly id: string; readonly name: string };

/**
 * Whether a value names somebody: an object whose `id` and `name` are texts, the id not empty. Whatever else a login
 * may give (`undefined`, `true`, a user without an id) is nobody.
 */
export function isPrincipal(value: unknown): value is Principal {
  return isRecord(value) && typeof value.id === 'string' && value.id !== '' && typeof value.name === 'string';
}

/** The largest principal that is recorded, in characters of JSON: it stands in the log once a turn. */
const largestPrincipal = 16_384;

/**
 * A principal as it stands now, for the log: a JSON copy, so functions and what does not survive JSON are left out.
 *
 * @param at epoch milliseconds
 * @throws CountersignError `internal` for one of more than 16,384 characters of JSON, or none that JSON keeps
 */
export function recordPrincipal(principal: Principal, at: number): RecordedPrincipal {
  const copy: unknown = toJson(principal);
  if (!isPrincipal(copy)) {
    throw new CountersignError('internal', 'A principal needs a text as its `id` and as its `name`.');
  }
  const { length } = JSON.stringify(copy);
  if (length > largestPrincipal) {
    throw new CountersignError(
      'internal',
      `A principal has ${length} characters of JSON, and at most ${largestPrincipal} are recorded. ` +
        'Let `authorize` give what rules and tools need, and look the rest up by its id.',
    );
  }
  return { ...copy, recordedAt: at };
}

/** Drops everything that is not meant for the record. */
export function personOf({ id, name }: Principal): Person {
  return { id, name };
}
