import { randomBytes } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SubscriptionEvent } from 'countersign/plugins/subscriptions';
import { webhook } from 'countersign/plugins/webhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PostOptions } from '../../lib/plugins/webhooks/post.ts';
import { isPublicAddress } from '../../lib/plugins/webhooks/public-address.ts';
import { keyOf, signedHeaders } from '../../lib/plugins/webhooks/sign.ts';
import { createWebhook, type WebhookSettings } from '../../lib/plugins/webhooks/webhook.ts';
import { isGenuine } from '../support/standard-webhook.ts';
import { untilIdle } from '../support/until-idle.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const next = `whsec_${randomBytes(32).toString('base64')}`;
const event: SubscriptionEvent = {
  id: 'evt_1',
  timestamp: '2030-01-01T00:00:00.000Z',
  type: 'turn.ended',
  data: { chatId: 'chat-1', runId: 'run-1', outcome: 'completed' },
};
const always = { signal: new AbortController().signal };

type Received = Pick<IncomingMessage, 'headers' | 'method' | 'url'> & { readonly body: string };

/** A server on loopback that records requests. */
async function receiver(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end(),
) {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers, method, url } = request;
    received.push({ headers, method, url, body: Buffer.concat(chunks).toString() });
    answer(response, request);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://127.0.0.1:${port}/hooks` };
}

const settings = (url: string, more: Partial<WebhookSettings> = {}): WebhookSettings => ({
  id: 'hook',
  url,
  secrets: [secret],
  ...more,
});
const send = (url: string, more: Partial<WebhookSettings> = {}, options?: PostOptions) =>
  createWebhook(settings(url, { allowPrivateNetwork: true, ...more }), options).deliver(event, always);

describe('a signed request', () => {
  it('has the signature of the published test vector [0043.12]', () => {
    const key = keyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(key ? [key] : [], message)).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is the event as JSON, and verifies with its secret alone [0043.12]', async () => {
    const { received, url } = await receiver();
    expect(await send(url)).toBeUndefined();
    const [request] = received;
    if (!request) throw new Error('No request.');
    expect(request).toMatchObject({ method: 'POST', url: '/hooks', body: JSON.stringify(event) });
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    expect(isGenuine(secret, request)).toBe(true);
    expect(isGenuine(next, request)).toBe(false);
  });

  it('verifies with the old and with the new secret while one replaces the other [0043.12]', async () => {
    const { received, url } = await receiver();
    await send(url, { secrets: [next, secret] });
    const [request] = received;
    expect(request && [isGenuine(secret, request), isGenuine(next, request)]).toEqual([true, true]);
  });

  it('does not verify if it was forged, changed, or is sent again later [0043.12]', async () => {
    const { received, url } = await receiver();
    await send(url);
    const [request] = received;
    if (!request) throw new Error('No request.');
    const { headers, body } = request;
    const forged = [
      { headers, body: body.replace('completed', 'stopped') },
      { headers: { ...headers, 'webhook-id': 'evt_2' }, body },
      {
        headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
        body,
      },
      { headers: { ...headers, 'webhook-signature': 'v1,AAAA' }, body },
      { headers: { ...headers, 'webhook-signature': undefined }, body },
    ];
    expect(forged.map((each) => isGenuine(secret, each))).toEqual(forged.map(() => false));
    expect(isGenuine(secret, request, Date.now() + 301_000)).toBe(false);
  });
});

describe('the status of a response', () => {
  it.each([
    [200, undefined],
    [204, undefined],
    [299, undefined],
    [400, { failed: 'The endpoint answered 400.' }],
    [410, { failed: 'The endpoint answered 410.', gone: true }],
    [500, { failed: 'The endpoint answered 500.' }],
  ])('%i decides whether the event was delivered [0043.12]', async (status, result) => {
    const { url } = await receiver((response) => response.writeHead(status).end());
    expect(await send(url)).toEqual(result);
  });

  it.each([429, 503])('%i passes on when to try again [0043.12]', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status, { 'retry-after': '120' }).end());
    expect(await send(url)).toEqual({ failed: `The endpoint answered ${status}.`, retryAfterMs: 120_000 });
  });

  it('reports that nothing listens, without the address [0043.12]', async () => {
    const { port, url } = await receiver();
    const other = url.replace(String(port), '1');
    expect(await send(other)).toEqual({ failed: 'The endpoint was not reached (ECONNREFUSED).' });
  });
});

/** Replaces the time limit of this length by one that ends once the head of a response has arrived. */
function limitAfterHead(ms: number): AbortSignal {
  const limit = new AbortController();
  const heads = channel('http.client.response.finish');
  const end = () => void untilIdle().then(() => limit.abort());
  heads.subscribe(end);
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const replaced = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((given) => (given === ms ? limit.signal : timeout(given)));
  onTestFinished(() => {
    heads.unsubscribe(end);
    replaced.mockRestore();
  });
  return limit.signal;
}

describe('a hostile endpoint', () => {
  it.each([301, 302, 303, 307, 308])('cannot redirect a request with %i [0043.13]', async (status) => {
    const target = await receiver();
    const { url } = await receiver((response) => response.writeHead(status, { location: target.url }).end());
    expect(await send(url)).toEqual({ failed: `The endpoint answered ${status}.` });
    expect(target.received).toEqual([]);
  });

  it('cannot send an endless body [0043.13]', async () => {
    const closed = Promise.withResolvers<number>();
    const { url } = await receiver((response) => {
      let sent = 0;
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(8_192))) sent += 8_192;
      };
      response.on('drain', pump);
      response.on('close', () => closed.resolve(sent));
      pump();
    });
    expect(await send(url)).toBeUndefined();
    // What the sender did not read is in buffers of the system.
    expect(await closed.promise).toBeLessThan(16 * 2 ** 20);
  });

  it('cannot hold a request open with a slow body, or without a response [0043.13]', async () => {
    const slow = await receiver((response) => response.write('slow'));
    const limit = limitAfterHead(4_711);
    expect(await send(slow.url, {}, { limitMs: 4_711 })).toBeUndefined();
    expect(limit.aborted).toBe(true);
    const silent = await receiver(() => {});
    expect(await send(silent.url, {}, { limitMs: 50 })).toEqual({ failed: 'The endpoint took too long.' });
  });

  it('is given up when the flow aborts the delivery [0043.13]', async () => {
    const controller = new AbortController();
    const { url } = await receiver(() => controller.abort());
    const subscriber = webhook(settings(url, { allowPrivateNetwork: true }));
    expect(await subscriber.deliver(event, controller)).toEqual({ failed: 'The endpoint took too long.' });
  });
});

describe('a private address', () => {
  const refusal = { failed: 'The endpoint has a private address.' };

  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'http://0.0.0.0:PORT/',
  ])('is refused in a URL: %s [0043.13]', async (pattern) => {
    const { port, received } = await receiver();
    const url = pattern.replace('PORT', String(port));
    expect(await send(url, { allowPrivateNetwork: false })).toEqual(refusal);
    expect(received).toEqual([]);
  });

  it('is refused if a public name has it [0043.13]', async () => {
    const { port, received } = await receiver();
    const resolve: PostOptions['resolve'] = (_name, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const url = `http://hooks.example:${port}/`;
    expect(await send(url, { allowPrivateNetwork: false }, { resolve })).toEqual(refusal);
    expect(received).toEqual([]);
  });

  it('is not reached by a name that has a public address at first, and then a private one [0043.13]', async () => {
    const { port, received } = await receiver();
    let asked = 0;
    // 127.0.0.2 stands for a public address. Nothing listens there.
    const resolve: PostOptions['resolve'] = (_name, callback) => {
      asked += 1;
      callback(null, [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
    };
    const isAllowed = (address: string) => address === '127.0.0.2';
    const url = `http://hooks.example:${port}/`;
    const attempt = () => send(url, { allowPrivateNetwork: false }, { resolve, isAllowed, limitMs: 1_000 });
    expect(await attempt()).toMatchObject({ failed: expect.stringMatching(/not reached|too long/) });
    expect(asked).toBe(1);
    expect(await attempt()).toEqual(refusal);
    expect(received).toEqual([]);
  });

  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.9.9.9',
      '168.63.129.16',
      '169.254.169.254',
      '172.31.255.255',
      '192.168.0.1',
    ],
    ...[
      '192.0.0.8',
      '192.0.2.1',
      '198.19.0.1',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      '::127.0.0.1',
    ],
    ...[
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      'nonsense',
      '',
    ],
  ])('%s is not public [0043.13]', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.128.0.1',
    '168.63.129.17',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public [0043.13]', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('settings of a webhook', () => {
  it.each([
    ['url', { url: 'ftp://hooks.example/' }],
    ['url', { url: 'hooks.example' }],
    ['url', { url: 'https://ada:secret@hooks.example/' }],
    ['secrets', { secrets: [] }],
    ['secrets[0]', { secrets: ['whsec_c2hvcnQ='] }],
    ['secrets[0]', { secrets: [randomBytes(24).toString('base64')] }],
    ['allowPrivateNetwork', { allowPrivateNetwork: 'yes' as never }],
    ['secret', { secret } as never],
  ])('refuse `%s` when it is invalid, without its value [0043.11]', (path, more) => {
    expect(() => webhook(settings('https://hooks.example/', more))).toThrow(
      expect.objectContaining({
        code: 'invalid-settings',
        message: expect.not.stringMatching(/hooks\.example|c2hvcnQ/),
        fields: expect.objectContaining({ path }),
      }),
    );
  });
});
