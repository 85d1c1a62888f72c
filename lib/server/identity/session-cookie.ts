import { CountersignError, isRecord, parseSessionId, type SessionId } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { Signer } from './derive-key.ts';

/** A cookie names a session and its end (epoch milliseconds). The registry knows whose session it is. */
export type SessionCookie = { readonly id: SessionId; readonly until: number };

export function formatSessionCookie({ id, until }: SessionCookie, signer: Signer): string {
  return signer.sign(runtime.toBase64url(new TextEncoder().encode(JSON.stringify({ session: id, until }))));
}

/** Decodes a cookie. @throws CountersignError `unauthenticated` if it is forged, or has no session */
export function parseSessionCookie(value: string, signer: Signer): SessionCookie {
  const text = signer.open(value);
  if (text === undefined) throw signInAgain('The session cookie is invalid.');
  const cookie: unknown = JSON.parse(new TextDecoder().decode(runtime.fromBase64url(text)));
  const { session, until } = isRecord(cookie) ? cookie : {};
  if (typeof session !== 'string' || typeof until !== 'number') throw sessionHasEnded();
  return { id: parseSessionId(session), until };
}

export function sessionHasEnded(): CountersignError {
  return signInAgain('The session has ended.');
}

function signInAgain(what: string): CountersignError {
  return new CountersignError('unauthenticated', `${what} Sign in again.`);
}
