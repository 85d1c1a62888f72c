import { CountersignError } from './errors/errors.ts';
import { isRecord, toJson } from './json.ts';
import type { PersonJson } from './wire/person.ts';

/**
 * The acting user or program. Passed to every call of the flow and to tools, and recorded in the log. `id`
 * decides ownership; `name` is for display.
 */
export type Principal = {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  /** Identifies the session in the audit record. This must not be the credential itself, because others read the record. */
  readonly sessionId?: string;
  /**
   * When this person last authenticated, by sign-in or second factor, in epoch milliseconds. A tool's
   * `stepUp` checks it; without it the check fails.
   */
  readonly authenticatedAt?: number;
  /** How they authenticated, as names that the host chooses. RFC 8176 defines `pwd`, `otp`, `hwk`, `mfa` and more. */
  readonly authenticationMethods?: readonly string[];
  /**
   * True for a program that acts for many people with one key. The Responses gateway then finds a chat without its id only
   * for a person whom the request names.
   *
   * @source ADR 0014.10
   */
  readonly shared?: boolean;
};

/**
 * Everything known about a principal at the time of its request, as JSON. `recordedAt` is in epoch
 * milliseconds.
 *
 * @source ADR 0015
 */
export type RecordedPrincipal = Principal & { readonly recordedAt: number };

/** The part of a principal that is recorded and displayed. */
export type Person = PersonJson;

/** Whether a value is an object whose `id`, not empty, and `name` are strings. Logins may return anything. */
export function isPrincipal(value: unknown): value is Principal {
  return isRecord(value) && typeof value.id === 'string' && value.id !== '' && typeof value.name === 'string';
}

/** The largest principal that is recorded, in characters of JSON. The log contains it once per turn. */
const largestPrincipal = 16_384;

/** A JSON copy of a principal. @param at epoch milliseconds @throws CountersignError `internal` above 16,384 characters */
export function recordPrincipal(principal: Principal, at: number): RecordedPrincipal {
  const copy: unknown = toJson(principal);
  if (!isPrincipal(copy)) {
    throw new CountersignError('internal', 'A principal needs an `id` and a `name`, both strings.');
  }
  const { length } = JSON.stringify(copy);
  if (length > largestPrincipal) {
    throw new CountersignError(
      'internal',
      `A principal has ${length} characters of JSON; at most ${largestPrincipal} are recorded. ` +
        'Let `authorize` return what rules and tools need, and look up the rest by id.',
    );
  }
  return { ...copy, recordedAt: at };
}

/** Keeps only the fields that are recorded. */
export function personOf({ id, name }: Principal): Person {
  return { id, name };
}
