import { describe, expect, it } from 'vitest';
import { readSettings } from '../../app/_server/settings.ts';
import { handshake } from '../support/handshake.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';
import { silentProxy } from '../support/silent-proxy.ts';

// Who counts as the user of this machine, over real HTTP and real sockets, at the routes of the reference app.

type Headers = Readonly<Record<string, string>>;

const sockets = ['/api/chat/socket', '/api/dialects/chat-socket'];

/** One header a row, as a proxy, a load balancer, a content network or a tunnel adds it. */
const signs: readonly [sign: string, value: string][] = [
  ['Forwarded', 'for=203.0.113.7'],
  ['X-Forwarded-For', '203.0.113.7'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded', 'for=203.0.113.7'],
  ['X_Forwarded_For', '203.0.113.7'],
  ['Forwarded-For', '203.0.113.7'],
  ['X-Original-Forwarded-For', '203.0.113.7'],
  ['Via', '1.1 varnish'],
  ['X-Real-IP', '203.0.113.7'],
  ['X-Client-IP', '203.0.113.7'],
  ['X-Cluster-Client-IP', '203.0.113.7'],
  ['True-Client-IP', '203.0.113.7'],
  ['Client-IP', '203.0.113.7'],
  ['X-ProxyUser-IP', '203.0.113.7'],
  ['WL-Proxy-Client-IP', '203.0.113.7'],
  ['X-Remote-Addr', '203.0.113.7'],
  ['X-Originating-IP', '203.0.113.7'],
  ['Proxy-Connection', 'keep-alive'],
  ['Max-Forwards', '9'],
  ['CDN-Loop', 'cloudflare'],
  ['CF-Connecting-IP', '203.0.113.7'],
  ['CF-Ray', '230b030023ae2822-SJC'],
  ['CF-Visitor', '{"scheme":"https"}'],
  ['Cf-Access-Authenticated-User-Email', 'eve@example.com'],
  ['Fastly-Client-IP', '203.0.113.7'],
  ['X-Varnish', '32770'],
  ['Surrogate-Capability', 'abc=ESI/1.0'],
  ['Fly-Client-IP', '203.0.113.7'],
  ['Fly-Region', 'ams'],
  ['X-Azure-ClientIP', '203.0.113.7'],
  ['X-Azure-Ref', '0zxV8'],
  ['X-ARR-SSL', '2048|256'],
  ['X-AppGW-Trace-Id', 'ac882cd65a2712a0fe1289ec2bb6aee7'],
  ['X-Amzn-Trace-Id', 'Root=1-67891233-abcdef012345678912345678'],
  ['X-Amz-Cf-Id', 'abc=='],
  ['CloudFront-Viewer-Country', 'DE'],
  ['X-Cloud-Trace-Context', '105445aa7843bc8bf206b12000100000/1'],
  ['X-AppEngine-User-IP', '203.0.113.7'],
  ['X-Envoy-External-Address', '203.0.113.7'],
  ['X-Kong-Request-Id', '1'],
  ['L5d-Client-Id', 'web.default'],
  ['X-NginX-Proxy', 'true'],
  ['X-Scheme', 'https'],
  ['X-Replaced-Path', '/api/chat'],
  ['X-Vercel-Id', 'fra1::abc'],
  ['X-Vercel-IP-Country', 'DE'],
  ['X-NF-Client-Connection-IP', '203.0.113.7'],
  ['X-Request-Start', 't=1700000000'],
  ['Do-Connecting-IP', '203.0.113.7'],
  ['X-Sucuri-ClientIP', '203.0.113.7'],
  ['Incap-Client-IP', '203.0.113.7'],
  ['Tailscale-User-Login', 'eve@example.com'],
  ['Ngrok-Auth-User-Email', 'eve@example.com'],
  ['X-Tunnel-Authorization', 'tunnel abc'],
  ['X-Auth-Request-User', 'eve'],
];

/** What browsers and programs on this machine send by themselves. */
const direct: Headers = {
  accept: '*/*',
  'accept-language': 'de',
  'cache-control': 'no-cache',
  'idempotency-key': 'a-key-of-the-client',
  'next-router-prefetch': '1',
  pragma: 'no-cache',
  priority: 'u=1, i',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0',
  'x-request-id': 'a-request-of-the-client',
  'x-stainless-retry-count': '0',
};

describe('the local user [H-Identity]', () => {
  it('sees each payment that ran [S16]', async () => {
    const { send } = await serveAppRoutes();
    const parts = [{ type: 'text', text: 'Pay Alice 30' }];
    const message = { id: 'user-1', role: 'user', parts };
    await send('POST', '/api/chat', {}, { id: 'chat', trigger: 'submit-message', message });
    const payments = async () => JSON.parse((await send('GET', '/api/demo/payments')).text).payments;
    expect(await payments()).toEqual([]);
    const [{ id }] = JSON.parse((await send('GET', '/api/approvals')).text).approvals;
    const answers = [{ approvalId: id, approved: true }];
    await send('POST', '/api/chat', {}, { id: 'chat', trigger: 'submit-message', answers });
    expect(await payments()).toMatchObject([
      { toolCallId: expect.any(String), recipient: 'Alice', amount: 30 },
    ]);
  });

  it('is anyone who sends requests directly from this machine, with any browser or program', async () => {
    const { url, send } = await serveAppRoutes();
    expect((await send('GET', '/api/chat', direct)).status).toBe(200);
    for (const path of sockets) expect(await handshake(url, path, direct)).toBe(101);
  });

  it('is not accepted with any sign of a proxy, in a request and in a handshake', async () => {
    const { url, send } = await serveAppRoutes();
    const statuses: unknown[] = [];
    for (const [sign, value] of signs) {
      const headers = { [sign]: value };
      const { status } = await send('GET', '/api/chat', headers);
      statuses.push([sign, status, await handshake(url, '/api/chat/socket', headers)]);
    }
    expect(statuses).toEqual(signs.map(([sign]) => [sign, 401, 401]));
  });

  it('is not accepted behind a proxy that adds no header and uses HTTP/1.0', async () => {
    const { url, send } = await serveAppRoutes();
    const proxy = await silentProxy(url, { version: '1.0' });
    for (const path of ['/api/chat', '/api/approvals', '/api/demo/payments']) {
      expect([path, (await send('GET', path, {}, undefined, proxy)).status]).toEqual([path, 401]);
    }
    expect((await send('POST', '/api/session', {}, { name: 'Ada' }, proxy)).status).toBe(403);
    for (const path of sockets) expect([path, await handshake(proxy, path)]).toEqual([path, 401]);
  });

  it.each(['localhost.evil.example', 'evil.example', '127.0.0.1.evil.example', '192.168.1.7'])(
    'is not accepted under the host name %s, also on a server for the network',
    async (host) => {
      const { send } = await serveAppRoutes({ HOST: '0.0.0.0' });
      expect((await send('GET', '/api/chat', { host })).status).toBe(401);
    },
  );

  it('is disabled with COUNTERSIGN_LOCAL_USER=off, together with the demo login', async () => {
    const { url, send } = await serveAppRoutes({ COUNTERSIGN_LOCAL_USER: 'off' });
    const proxy = await silentProxy(url, { version: '1.1' });
    for (const from of [url, proxy]) {
      expect((await send('GET', '/api/chat', {}, undefined, from)).status).toBe(401);
      expect((await send('POST', '/api/session', {}, { name: 'Ada' }, from)).status).toBe(403);
      for (const path of sockets) expect(await handshake(from, path)).toBe(401);
    }
  });

  it('cannot be distinguished from a proxy that leaves no sign at all, which is the documented limit', async () => {
    const { url, send } = await serveAppRoutes();
    const proxy = await silentProxy(url, { version: '1.1' });
    expect((await send('GET', '/api/chat', {}, undefined, proxy)).status).toBe(200);
  });
});

describe('the setting COUNTERSIGN_LOCAL_USER [H-Configuration]', () => {
  const read = (value: string) =>
    readSettings({ COUNTERSIGN_SECRET: 'a secret of the server', COUNTERSIGN_LOCAL_USER: value });

  it.each([
    ['', true],
    ['on', true],
    ['off', false],
  ])('accepts %j', (value, expected) => {
    expect(read(value).localUser).toBe(expected);
  });

  it.each(['OFF', 'false', '0', 'no', ' off'])('refuses %j at start-up', (value) => {
    expect(() => read(value)).toThrow(/COUNTERSIGN_LOCAL_USER is ".*". It must be on or off/);
  });
});
