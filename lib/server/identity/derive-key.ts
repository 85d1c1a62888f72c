import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { checkSettings, secret as secretText } from '../../protocol/settings.ts';

/** The use of a key. All uses share one secret, but a signature for one use is invalid for the others. */
export type KeyUse = 'session-cookie' | 'peer-stamp' | 'audit';

/** Signs and verifies short texts with one key. */
export type Signer = {
  /** Appends the signature: `text.signature`. The result is safe in a cookie if the text is. */
  sign(text: string): string;
  /** The text, if its signature is valid; otherwise `undefined`. Takes constant time for wrong signatures. */
  open(signed: string): string | undefined;
};

/**
 * Creates a signer (HMAC-SHA256). Its key is derived from the secret for one use (HKDF).
 *
 * @param secret at least 16 characters, because shorter secrets can be guessed
 * @throws CountersignError `invalid-settings` for a shorter secret, at startup
 * @source H-Configuration
 */
export function createSigner(secret: string, use: KeyUse): Signer {
  const key = keyFor(secret, use);
  const signatureOf = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    sign: (text) => `${text}.${signatureOf(text).toString('base64url')}`,
    open(signed) {
      const end = signed.lastIndexOf('.');
      if (end === -1) return undefined;
      const text = signed.slice(0, end);
      const given = Buffer.from(signed.slice(end + 1), 'base64url');
      const right = signatureOf(text);
      return given.length === right.length && timingSafeEqual(given, right) ? text : undefined;
    },
  };
}

/**
 * Derives a key for one use as a string, such as the flow's `auditKey`, so that one secret in the environment
 * is enough.
 *
 * @throws CountersignError `invalid-settings` for a secret of fewer than 16 characters
 */
export function deriveKey(secret: string, use: 'audit'): string {
  return keyFor(secret, use).toString('base64url');
}

function keyFor(secret: string, use: KeyUse): Buffer {
  checkSettings('deriveKey', { secret }, { secret: secretText }, ['secret']);
  return Buffer.from(hkdfSync('sha256', secret, '', `countersign/${use}/1`, 32));
}
