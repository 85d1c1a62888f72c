import { runtime } from './runtime.ts';

/** A key of 32 bytes for one use (HKDF-SHA256 without a salt). Keys for different uses reveal nothing about each other. */
export function deriveBytes(secret: string | Uint8Array, info: string): Uint8Array {
  const extracted = runtime.hmacSha256('', secret);
  return runtime.hmacSha256(extracted, info, Uint8Array.of(1));
}
