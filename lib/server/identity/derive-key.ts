import { checkSettings, secret as secretText } from '../../protocol/settings.ts';
import { deriveBytes } from '../../runtime/derive-bytes.ts';
import { runtime } from '../../runtime/runtime.ts';

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
 * A signer (HMAC-SHA256) with a key for one use.
 *
 * @throws CountersignError `invalid-settings` for a secret under 16 characters
 * @source H-Configuration
 */
export function createSigner(secret: string, use: KeyUse): Signer {
  const key = keyFor(secret, use);
  const signatureOf = (text: string) => runtime.hmacSha256(key, text);
  return {
    sign: (text) => `${text}.${runtime.toBase64url(signatureOf(text))}`,
    open(signed) {
      const end = signed.lastIndexOf('.');
      if (end === -1) return undefined;
      const text = signed.slice(0, end);
      const given = runtime.fromBase64url(signed.slice(end + 1));
      return runtime.isSame(given, signatureOf(text)) ? text : undefined;
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
  return runtime.toBase64url(keyFor(secret, use));
}

function keyFor(secret: string, use: KeyUse): Uint8Array {
  checkSettings('deriveKey', { secret }, { secret: secretText }, ['secret']);
  return deriveBytes(secret, `countersign/${use}/1`);
}
