import { builtinModule } from './builtin-module.ts';
import type { Runtime } from './runtime-port.ts';

/** Node's own modules, several times as fast as JavaScript; `undefined` if one is missing. */
export function nodeRuntime(): Runtime | undefined {
  const { createHash, createHmac, createCipheriv, hash, timingSafeEqual } =
    builtinModule('node:crypto') ?? {};
  const { AsyncResource } = builtinModule('node:async_hooks') ?? {};
  if (!createHash || !createHmac || !createCipheriv || !hash) return undefined;
  if (!timingSafeEqual || !AsyncResource) return undefined;
  return {
    sha256: (text) => hash('sha256', text, 'buffer'),
    digest: (text) => hash('sha256', text, 'base64url'),
    sha256InParts() {
      const parts = createHash('sha256');
      return { update: (part) => void parts.update(part), digest: () => parts.digest() };
    },
    hmacSha256(key, ...parts) {
      const hmac = createHmac('sha256', key);
      for (const part of parts) hmac.update(part);
      return hmac.digest();
    },
    aesCtr(key, counter, bytes) {
      const cipher = createCipheriv('aes-256-ctr', key, counter);
      return new Uint8Array(Buffer.concat([cipher.update(bytes), cipher.final()]));
    },
    isSame: (one, other) => one.length === other.length && timingSafeEqual(one, other),
    toBase64url(bytes) {
      if (bytes instanceof Buffer) return bytes.toString('base64url');
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
    },
    fromBase64url: (text) => new Uint8Array(Buffer.from(text, 'base64url')),
    utf8Length: (text) => Buffer.byteLength(text),
    // Read at each call: a test may replace it.
    turnOfEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
    afterPromises: (callback) => globalThis.process.nextTick(callback),
    // `AsyncResource.bind` also copies properties of the function, which takes three times the memory.
    inThisContext<Given extends unknown[], Result>(callback: (...given: Given) => Result) {
      const context = new AsyncResource('countersign');
      const run = context.runInAsyncScope<undefined, Result>;
      return run.bind(context, callback, undefined);
    },
  };
}
