import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { describe, expect, it, onTestFinished } from 'vitest';
import { approvalsCommand } from '../../lib/cli/approvals.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { requestApproval } from '../support/agent-requests-client.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import { type KeyedServer, keyedServer, keys } from '../support/keyed-server.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));

const ask = async (server: KeyedServer, title: string) =>
  (await requestApproval(server, keys.agent, { title }, title)).body.approval;

/** Runs `watch`, whose lines can be awaited one by one. */
function watching(url: string, key: string, ...args: string[]) {
  const ended = new AbortController();
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const delays: number[] = [];
  const take = (line: string) => {
    lines.push(line);
    for (const check of waiting) check();
  };
  const { terminal } = fakeTerminal({
    env: { COUNTERSIGN_URL: url, COUNTERSIGN_KEY: key },
    print: take,
    complain: take,
    signal: ended.signal,
    sleep: async (ms) => void delays.push(ms),
  });
  const done = approvalsCommand(['watch', ...args], terminal);
  onTestFinished(() => ended.abort());

  /** Resolves with the first line that contains the text. */
  function line(text: string, from = 0): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const check = () => {
      const found = lines.slice(from).find((one) => one.includes(text));
      if (found === undefined) return;
      waiting.delete(check);
      resolve(found);
    };
    waiting.add(check);
    check();
    return promise;
  }

  return { line, lines, delays, done, end: () => ended.abort() };
}

/** A server in front of another one, which cuts the feed when it is told to, and counts the feeds. */
async function cuttable(target: string) {
  const feeds: { readonly lastId: string | null; readonly cut: () => void }[] = [];
  let status = 200;
  const server = await serve({
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const isFeed = pathname.endsWith('/events');
      const refusal = {
        error: { code: status === 400 ? 'invalid-request' : 'unavailable', message: 'Refused.' },
      };
      if (isFeed && status !== 200) return Response.json(refusal, { status });
      const cut = new AbortController();
      const headers = new Headers(request.headers);
      headers.delete('host');
      headers.delete('connection');
      const response = await fetch(target + pathname + search, { headers, signal: cut.signal });
      if (isFeed) feeds.push({ lastId: headers.get('last-event-id'), cut: () => cut.abort() });
      return new Response(response.body, { status: response.status, headers: response.headers });
    },
  });
  onTestFinished(() => server.close());
  return {
    url: server.url,
    feeds,
    refuseWith: (code: number) => {
      status = code;
    },
  };
}

describe('countersign approvals watch [H11, ADR 0044]', () => {
  it('prints open, new and settled questions, each once, and ends with 0 when interrupted [H11]', async () => {
    const server = await keyedServer();
    const first = await ask(server, 'First');
    const { line, lines, done, end } = watching(server.url, keys.ada);
    expect(await line('First')).toMatch(
      new RegExp(`^open  ${first.id}  An agent asks.*“First”  \\(medium, Build`),
    );
    const second = await ask(server, 'Second');
    expect(await line('Second')).toMatch(/^opened /);
    await server.send(keys.ada, 'POST', `/approvals/${second.id}`, { approved: false, reason: 'No.' });
    expect(await line('denied')).toMatch(/“Second” by Ada: No\.$/);
    end();
    expect(await done).toBe(0);
    expect(lines.filter((one) => one.includes('First'))).toHaveLength(1);
  });

  it('prints one JSON object in each line with --json [H11]', async () => {
    const server = await keyedServer();
    await ask(server, 'First');
    const { line } = watching(server.url, keys.ada, '--json');
    expect(JSON.parse(await line('First'))).toMatchObject({ type: 'open', question: { state: 'open' } });
  });

  it('reconnects after the last event, and says so [H11]', async () => {
    const server = await keyedServer();
    const { url, feeds } = await cuttable(server.url);
    const { line, lines, delays } = watching(url, keys.ada);
    await line('Watching');
    await ask(server, 'First');
    await line('First');
    feeds[0]?.cut();
    await line('Connection lost: ');
    await line('Connected again.');
    await ask(server, 'Second');
    await line('Second');
    expect(delays).toEqual([1_000]);
    expect(feeds.map(({ lastId }) => lastId)).toEqual([null, expect.any(String)]);
    expect(lines.filter((one) => one.includes('First'))).toHaveLength(1);
  });

  it('doubles its delays while the server is down, up to 30 s [H11]', async () => {
    const server = await keyedServer();
    const { url, feeds, refuseWith } = await cuttable(server.url);
    const { line, delays, lines } = watching(url, keys.ada);
    await ask(server, 'First');
    await line('First');
    refuseWith(503);
    feeds[0]?.cut();
    await line('Trying again in 30 s.');
    refuseWith(200);
    await line('Connected again.', lines.length);
    expect(delays.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  });

  it('reports what was settled while it was disconnected, even if its position is lost [H11]', async () => {
    const server = await keyedServer();
    const { url, feeds, refuseWith } = await cuttable(server.url);
    const first = await ask(server, 'First');
    const { line } = watching(url, keys.ada);
    await line('First');
    refuseWith(400);
    feeds[0]?.cut();
    await line('Trying again in 2 s.');
    await server.send(keys.ada, 'POST', `/approvals/${first.id}`, { approved: false });
    refuseWith(200);
    expect(await line('denied')).toContain(first.id);
    expect(feeds.at(-1)?.lastId).toBeNull();
  });

  it('prints questions that its user may answer only since it was disconnected, each once [H11]', async () => {
    let isDelegated = false;
    const server = await keyedServer({
      plugins: [
        agentRequests({
          approvers: (_principal, question) => isDelegated || JSON.stringify(question).includes('Second'),
        }),
      ],
    });
    const { url, feeds } = await cuttable(server.url);
    const first = await ask(server, 'First');
    await ask(server, 'Second');
    const { line, lines } = watching(url, keys.ada);
    await line('Second');
    isDelegated = true;
    for (const feed of [0, 1]) {
      const from = lines.length;
      feeds[feed]?.cut();
      await line('Connected again.', from);
      expect(await line('First')).toMatch(/^open /);
    }
    await server.send(keys.ada, 'POST', `/approvals/${first.id}`, { approved: false });
    await line('denied');
    expect(lines.filter((one) => one.includes('First'))).toHaveLength(2);
    expect(lines.filter((one) => one.includes('Second'))).toHaveLength(1);
  });

  it('ends with 0 when the process is interrupted [H11]', async () => {
    const server = await keyedServer();
    const env = { NODE_ENV: 'test' as const, COUNTERSIGN_URL: server.url, COUNTERSIGN_KEY: keys.ada };
    const child = spawn(process.execPath, [program, 'approvals', 'watch'], { env });
    const [line] = await once(child.stderr, 'data');
    expect(String(line)).toBe(`Watching ${server.url}/api.\n`);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('ends with 6 if the key is refused [H-Errors]', async () => {
    const server = await keyedServer();
    expect(await watching(server.url, 'a-key-that-nobody-has').done).toBe(6);
  });
});
