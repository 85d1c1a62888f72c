import { randomFillSync } from 'node:crypto';

/** Bytes of one id: 128 bits. */
const idBytes = 16;

/** Ids drawn at once: asking the system for random bytes costs more than the bytes. */
const idsAtOnce = 256;

/** Makes ids of 128 random bits, URL-safe. Bytes that were used are overwritten, and are never used again. */
export function createRandomIds(): () => string {
  const pool = Buffer.allocUnsafeSlow(idBytes * idsAtOnce);
  let next = pool.length;

  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    const bytes = pool.subarray(next, next + idBytes);
    next += idBytes;
    const id = bytes.toString('base64url');
    bytes.fill(0);
    return id;
  };
}
