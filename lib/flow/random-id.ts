import { randomFillSync } from 'node:crypto';

/** The size of an id in bytes: 128 bits. */
const idBytes = 16;

/** The number of ids per request to the system's random source: each request is slow, whatever its size. */
const idsAtOnce = 256;

/** Creates URL-safe ids of 128 random bits. Used bytes are overwritten and never used again. */
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
