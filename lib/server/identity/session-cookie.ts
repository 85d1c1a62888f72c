import { CountersignError, isRecord, parseSessionId, type SessionId } from '../../protocol/index.ts';
import type { Signer } from './derive-key.ts';

/** What a session cookie says: which session, and until when (epoch milliseconds). Who that is, the registry knows. */
export type SessionCookie = { readonly id: SessionId; readonly until: number };

/** The value of a cookie: JSON, signed. */
export function formatSessionCookie({ id, until }: SessionCookie, signer: Signer): string {
  return signer.sign(Buffer.from(JSON.stringify({ session: id, until })).toString('base64url'));
}

/**
 * Reads the value of a cookie. One of a version without a registry names no session, and is refused.
 *
 * @throws CountersignError `unauthenticated` for one that is forged, foreign or of that version
 */
export function parseSessionCookie(value: string, signer: Signer): SessionCookie {
  const text = signer.open(value);
  if (text === undefined) throw signInAgain('The session cookie is not one of ours.');
  const cookie: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  const { session, until } = isRecord(cookie) ? cookie : {};
  if (typeof session !== 'string' || typeof until !== 'number') throw sessionHasEnded();
  return { id: parseSessionId(session), until };
}

/** The refusal of a session that is unknown, was ended, or is past its end. */
export function sessionHasEnded(): CountersignError {
  return signInAgain('The session has ended.');
}

function signInAgain(what: string): CountersignError {
  return new CountersignError('unauthenticated', `${what} Sign in again.`);
}
