import { AsyncLocalStorage } from 'node:async_hooks';
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deriveBytes } from '../../lib/runtime/derive-bytes.ts';
import { nodeRuntime } from '../../lib/runtime/node-runtime.ts';
import { runtime } from '../../lib/runtime/runtime.ts';
import type { Runtime } from '../../lib/runtime/runtime-port.ts';
import { webRuntime } from '../../lib/runtime/web-runtime.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Texts of every kind that is hashed somewhere, and those where encodings differ. */
const texts = [
  '',
  'abc',
  '{"to":"Zoë","amount":30}',
  '👩‍🚀 \u0000 \ufeff',
  'unpaired \ud800 surrogate',
  ...[54, 55, 56, 63, 64, 65, 119, 128, 1_000].map((length) => 'x'.repeat(length)),
];
const keys = ['', 'k', 'a key of some length', 'k'.repeat(64), 'k'.repeat(65), randomBytes(32)];

function runtimeOfNode(): Runtime {
  const node = nodeRuntime();
  if (!node) throw new Error('Tests run on Node.');
  return node;
}

describe.each([
  ['Node', runtimeOfNode()],
  ['the web', webRuntime()],
])('the runtime of %s', (_name, one) => {
  it.each(texts)('hashes %j like OpenSSL', (text) => {
    expect(hex(one.sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
    expect(one.digest(text)).toBe(createHash('sha256').update(text).digest('base64url'));
    const parts = one.sha256InParts();
    for (const part of [text, '', 'more']) parts.update(part);
    expect(hex(parts.digest())).toBe(createHash('sha256').update(text).update('more').digest('hex'));
    for (const key of keys) {
      const right = createHmac('sha256', key).update(text).update('more').digest('hex');
      expect(hex(one.hmacSha256(key, text, 'more'))).toBe(right);
      expect(hex(one.hmacSha256(key, Buffer.from(text), Buffer.from('more')))).toBe(right);
    }
  });

  it('encrypts and decrypts like OpenSSL, even if the counter overflows', async () => {
    const key = randomBytes(32);
    const overflowing = [randomBytes(16), Buffer.alloc(16, 0xff), Buffer.from(`00${'ff'.repeat(15)}`, 'hex')];
    for (const counter of overflowing) {
      const bytes = randomBytes(100);
      const cipher = createCipheriv('aes-256-ctr', key, counter);
      const sealed = await one.aesCtr(key, counter, bytes);
      expect(hex(sealed)).toBe(hex(Buffer.concat([cipher.update(bytes), cipher.final()])));
      expect(hex(await one.aesCtr(key, counter, sealed))).toBe(hex(bytes));
    }
  });

  it('writes and reads base64url', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url');
        expect(one.toBase64url(bytes)).toBe(text);
        expect(hex(one.fromBase64url(text))).toBe(hex(bytes));
      }),
      { numRuns: 50 },
    );
    const longest = new Uint8Array(70_000).fill(255);
    expect(hex(one.fromBase64url(one.toBase64url(longest)))).toBe(hex(longest));
  });

  it.each(['!', 'a', 'abc=d', '€', 'a b'])('does not throw at %j, which is not base64url', (text) => {
    expect(one.fromBase64url(text).length).toBeLessThan(4);
  });

  it('compares bytes', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(one.isSame(bytes, Uint8Array.of(1, 2, 3))).toBe(true);
    for (const other of [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []]) {
      expect(one.isSame(bytes, Uint8Array.from(other))).toBe(false);
    }
  });

  it('measures texts in UTF-8', () => {
    for (const text of texts) expect(one.utf8Length(text)).toBe(Buffer.from(text).length);
  });

  it('calls back after promises that are pending, and lets the event loop turn', async () => {
    const order: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    one.afterPromises(() => {
      order.push('after promises');
      resolve();
    });
    void Promise.resolve()
      .then(() => undefined)
      .then(() => order.push('promise'));
    await promise;
    expect(order).toEqual(['promise', 'after promises']);
    setTimeout(() => order.push('turn'), 0);
    do await one.turnOfEventLoop();
    while (!order.includes('turn'));
  });

  it('binds functions to the async context, with what they are given and return', () => {
    vi.stubGlobal('AsyncLocalStorage', AsyncLocalStorage);
    onTestFinished(() => void vi.unstubAllGlobals());
    const context = new AsyncLocalStorage<string>();
    const place = (given: string) => [given, context.getStore()];
    const bound = context.run('request', () => one.inThisContext(place));
    expect(bound('call')).toEqual(['call', 'request']);
  });
});

it('calls functions as they are where the web has no async context', () => {
  const callback = () => undefined;
  expect(webRuntime().inThisContext(callback)).toBe(callback);
});

it('derives keys like HKDF of OpenSSL', () => {
  for (const secret of keys) {
    const right = Buffer.from(hkdfSync('sha256', secret, '', 'countersign/audit/1', 32)).toString('hex');
    expect(hex(deriveBytes(secret, 'countersign/audit/1'))).toBe(right);
  }
});

it('is Node here, and the web where modules of Node are missing or incomplete', () => {
  expect(`${runtime.sha256}`).toBe(`${nodeRuntime()?.sha256}`);
  const modules = vi.spyOn(process, 'getBuiltinModule');
  onTestFinished(() => modules.mockRestore());
  for (const crypto of [undefined, {}, { createHmac }]) {
    modules.mockReturnValue(crypto);
    expect(nodeRuntime()).toBeUndefined();
  }
  vi.stubGlobal('process', { env: {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(nodeRuntime()).toBeUndefined();
});
