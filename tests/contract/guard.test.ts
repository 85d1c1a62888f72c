import { describe, expect, it } from 'vitest';
import { guardHandshake, guardRequest } from '../../lib/server/guard.ts';
import { readJson } from '../../lib/server/requests/read-json.ts';

const json = { 'content-type': 'application/json' };
const refusal = (code: string) => expect.objectContaining({ code });

function request(method: string, headers: Record<string, string>): Request {
  return new Request('http://localhost/api/chat', {
    method,
    headers: { host: 'localhost:3000', ...headers },
  });
}

describe('which requests our own pages could have made [H-Identity]', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a read without headers', 'GET', {}],
    ['a read by a link from elsewhere', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['JSON from a program', 'POST', json],
    ['a request with a key and without a body', 'DELETE', { authorization: 'Bearer key' }],
    ['JSON with a charset', 'POST', { 'content-type': 'Application/JSON; charset=utf-8' }],
    [
      'JSON of our own page',
      'POST',
      { ...json, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
    ],
    ['JSON of our own page by an old browser', 'POST', { ...json, 'sec-fetch-site': 'same-origin' }],
    [
      'a host of any letter case',
      'POST',
      { ...json, host: 'LocalHost:3000', origin: 'http://localhost:3000' },
    ],
    [
      'a default port in one of the two',
      'POST',
      { ...json, host: 'localhost:80', origin: 'http://localhost' },
    ],
    ['IPv6 loopback', 'DELETE', { ...json, host: '[::1]:3000', origin: 'http://[::1]:3000' }],
  ])('accepts %s', (_what, method, headers) => {
    expect(() => guardRequest(request(method, headers))).not.toThrow();
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['the origin of another site', 'POST', { ...json, origin: 'https://evil.example' }, 'forbidden'],
    ['a read from the origin of another site', 'GET', { origin: 'https://evil.example' }, 'forbidden'],
    ['our host on another port', 'POST', { ...json, origin: 'http://localhost:4000' }, 'forbidden'],
    ['an opaque origin', 'POST', { ...json, origin: 'null' }, 'forbidden'],
    [
      'an origin that only begins like ours',
      'POST',
      { ...json, origin: 'http://localhost:3000.evil.example' },
      'forbidden',
    ],
    ['an origin of another scheme', 'POST', { ...json, origin: 'file://localhost:3000' }, 'forbidden'],
    ['another site without an origin', 'POST', { ...json, 'sec-fetch-site': 'cross-site' }, 'forbidden'],
    ['a sibling site without an origin', 'DELETE', { ...json, 'sec-fetch-site': 'same-site' }, 'forbidden'],
    [
      'a form, even with a key',
      'POST',
      { authorization: 'Bearer key', 'content-type': 'text/plain' },
      'invalid-request',
    ],
    ['a password that the browser adds', 'POST', { authorization: 'Basic YTpi' }, 'invalid-request'],
    ['an unknown host', 'GET', { host: 'evil.example' }, 'forbidden'],
    ['a host that only begins like ours', 'GET', { host: 'localhost.evil.example:3000' }, 'forbidden'],
    [
      'an unknown host with the same origin',
      'POST',
      { ...json, host: 'evil.example', origin: 'http://evil.example' },
      'forbidden',
    ],
    ['a form', 'POST', { 'content-type': 'application/x-www-form-urlencoded' }, 'invalid-request'],
    [
      'text that only contains the type',
      'POST',
      { 'content-type': 'text/plain; application/json' },
      'invalid-request',
    ],
    ['a longer type', 'POST', { 'content-type': 'application/jsonp' }, 'invalid-request'],
    ['no type', 'DELETE', {}, 'invalid-request'],
  ])('refuses %s', (_what, method, headers, code) => {
    expect(() => guardRequest(request(method, headers))).toThrow(refusal(code));
  });

  it.each<[string, string[], string, boolean]>([
    ['a name on any port', ['chat.example.com'], 'chat.example.com:8443', true],
    ['a name on its port', ['chat.example.com:8443'], 'chat.example.com:8443', true],
    ['a name on another port', ['chat.example.com:8443'], 'chat.example.com', false],
    ['a name beside loopback, which is not implied', ['chat.example.com'], 'localhost:3000', false],
    ['any name by a star', ['*'], 'anything.example', true],
  ])('allowedHosts: %s', (_what, allowedHosts, host, isAllowed) => {
    const guard = () => guardRequest(request('GET', { host }), { allowedHosts });
    if (isAllowed) expect(guard).not.toThrow();
    else expect(guard).toThrow(refusal('forbidden'));
  });

  it('a handshake needs no content type and no Origin, but the Origin of another site is refused [H3]', () => {
    expect(() => guardHandshake(request('GET', { upgrade: 'websocket' }))).not.toThrow();
    expect(() => guardHandshake(request('GET', { origin: 'https://evil.example' }))).toThrow(
      refusal('forbidden'),
    );
    expect(() => guardHandshake(request('GET', { host: 'evil.example' }))).toThrow(refusal('forbidden'));
  });
});

describe('reading a body [H-Errors]', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  const inChunks = (...chunks: Uint8Array<ArrayBuffer>[]) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('parses JSON whose characters are split between chunks', async () => {
    const whole = bytes('{"a":"ü€"}');
    const body = inChunks(whole.slice(0, 7), whole.slice(7, 9), whole.slice(9));
    expect(await readJson(post(body), 100)).toEqual({ a: 'ü€' });
  });

  it.each<[string, () => Request, string]>([
    ['a declared length above the limit', () => post('{}', { 'content-length': '101' }), 'payload-too-large'],
    [
      'a body without a length above the limit',
      () => post(inChunks(bytes('"12345'), bytes('6".'.repeat(50)))),
      'payload-too-large',
    ],
    ['an empty body', () => post(''), 'invalid-request'],
    ['half a body', () => post('{"a":'), 'invalid-request'],
    ['bytes that are not UTF-8', () => post(inChunks(new Uint8Array([0x22, 0xff, 0x22]))), 'invalid-request'],
  ])('refuses %s', async (_what, make, code) => {
    await expect(readJson(make(), 100)).rejects.toThrow(refusal(code));
  });

  it('stops reading at the limit instead of filling the memory', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1_024));
      },
    });
    await expect(readJson(post(endless), 10_240)).rejects.toThrow(refusal('payload-too-large'));
    expect(pulled).toBeLessThan(20);
  });

  it('handles nesting as deep as the limit allows', async () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    expect(Array.isArray(await readJson(post(deep), 1_000_000))).toBe(true);
  });
});
