import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { checkSettings, secret as secretText } from '../../protocol/settings.ts';

/** What a key is for. One secret serves many uses, and no use can forge for another. */
export type KeyUse = 'session-cookie' | 'peer-stamp' | 'audit';

/** Signs and checks short texts with one key. */
export type Signer = {
  /** The text with its signature behind it: `text.signature`, both safe in a cookie if the text is. */
  sign(text: string): string;
  /** The text, if the signature is ours; `undefined` otherwise. Takes the same time for every wrong signature. */
  open(signed: string): string | undefined;
};

/**
 * A signer (HMAC-SHA256) whose key is derived from the secret for this use alone (HKDF).
 *
 * @param secret at least 16 characters; shorter ones could be guessed
 * @throws CountersignError `invalid-settings` for a shorter secret, at start-up
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
 * A key for one use, as text: for the flow's `auditKey`, so that one secret in the environment is enough.
 *
 * @throws CountersignError `invalid-settings` for a secret of less than 16 characters
 */
export function deriveKey(secret: string, use: 'audit'): string {
  return keyFor(secret, use).toString('base64url');
}

function keyFor(secret: string, use: KeyUse): Buffer {
  checkSettings('deriveKey', { secret }, { secret: secretText }, ['secret']);
  return Buffer.from(hkdfSync('sha256', secret, '', `countersign/${use}/1`, 32));
}
