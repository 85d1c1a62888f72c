import { runtime } from '../runtime/runtime.ts';

/** The size of an id in bytes: 128 bits. */
const idBytes = 16;

/** The number of ids per request to the system's random source: each request is slow, whatever its size. */
const idsAtOnce = 256;

/** Creates URL-safe ids of 128 random bits. Used bytes are overwritten and never reused. */
export function createRandomIds(): () => string {
  const pool = new Uint8Array(idBytes * idsAtOnce);
  let next = pool.length;

  return () => {
    if (next === pool.length) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    const bytes = pool.subarray(next, next + idBytes);
    next += idBytes;
    const id = runtime.toBase64url(bytes);
    bytes.fill(0);
    return id;
  };
}
