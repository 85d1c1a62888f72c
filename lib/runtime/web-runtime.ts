import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Runtime } from './runtime-port.ts';

type AsyncContexts = { readonly bind: Runtime['inThisContext'] };

const encoder = new TextEncoder();
const bytesOf = (part: string | Uint8Array) => (typeof part === 'string' ? encoder.encode(part) : part);

/** The runtime based on web standards, with hashes in JavaScript, because Web Crypto's are asynchronous. */
export function webRuntime(): Runtime {
  return {
    sha256: (text) => sha256(encoder.encode(text)),
    digest: (text) => toBase64url(sha256(encoder.encode(text))),
    sha256InParts() {
      const parts = sha256.create();
      return { update: (part) => void parts.update(encoder.encode(part)), digest: () => parts.digest() };
    },
    hmacSha256(key, ...parts) {
      const mac = hmac.create(sha256, bytesOf(key));
      for (const part of parts) mac.update(bytesOf(part));
      return mac.digest();
    },
    async aesCtr(key, counter, bytes) {
      const imported = await crypto.subtle.importKey('raw', copyOf(key), 'AES-CTR', false, ['encrypt']);
      const algorithm = { name: 'AES-CTR', counter: copyOf(counter), length: 128 };
      return new Uint8Array(await crypto.subtle.encrypt(algorithm, imported, copyOf(bytes)));
    },
    isSame(one, other) {
      if (one.length !== other.length) return false;
      return one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;
    },
    toBase64url,
    fromBase64url(text) {
      if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return new Uint8Array();
      const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
      return Uint8Array.from(binary, (character) => character.charCodeAt(0));
    },
    utf8Length: (text) => encoder.encode(text).length,
    turnOfEventLoop: () => new Promise((resolve) => void setTimeout(resolve, 0)),
    // A web runtime has no step between its promises and the next turn.
    afterPromises: (callback) => void setTimeout(callback, 0),
    inThisContext: (callback) => asyncContexts()?.bind(callback) ?? callback,
  };
}

/** Not standardized yet. Vercel's edge runtime has it as a global, under the name of Node's class. */
function asyncContexts(): AsyncContexts | undefined {
  return (globalThis as { readonly AsyncLocalStorage?: AsyncContexts }).AsyncLocalStorage;
}

function toBase64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Web Crypto does not accept shared memory. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
