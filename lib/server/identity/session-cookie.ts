import { CountersignError, isRecord, parseSessionId, type SessionId } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { Signer } from './derive-key.ts';

/**
 * The content of a session cookie: the session's id, and when it expires (epoch milliseconds). The registry
 * stores whose session it is.
 */
export type SessionCookie = { readonly id: SessionId; readonly until: number };

/** Encodes a cookie's value: signed JSON. */
export function formatSessionCookie({ id, until }: SessionCookie, signer: Signer): string {
  return signer.sign(runtime.toBase64url(new TextEncoder().encode(JSON.stringify({ session: id, until }))));
}

/**
 * Decodes a cookie's value. Cookies from versions without a session registry are refused, because they contain
 * no session id.
 *
 * @throws CountersignError `unauthenticated` for a cookie that is forged, foreign or from such a version
 */
export function parseSessionCookie(value: string, signer: Signer): SessionCookie {
  const text = signer.open(value);
  if (text === undefined) throw signInAgain('The session cookie is invalid.');
  const cookie: unknown = JSON.parse(new TextDecoder().decode(runtime.fromBase64url(text)));
  const { session, until } = isRecord(cookie) ? cookie : {};
  if (typeof session !== 'string' || typeof until !== 'number') throw sessionHasEnded();
  return { id: parseSessionId(session), until };
}

/** The refusal of a session that is unknown, ended or expired. */
export function sessionHasEnded(): CountersignError {
  return signInAgain('The session has ended.');
}

function signInAgain(what: string): CountersignError {
  return new CountersignError('unauthenticated', `${what} Sign in again.`);
}
