import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { barrier } from '../support/barrier.ts';
import { sendRaw } from '../support/raw-request.ts';

const root = resolve(import.meta.dirname, '../..');

/** An app around the server of the guide: a payment that a provider makes, and one user. */
const files = {
  'app/identity.ts': `export const identity = { authorize: () => ({ id: 'ada', name: 'Ada' }) };`,
  'app/flow.ts': `
    import { tool } from 'ai';
    import { createApprovalFlow } from 'countersign';
    import { sqliteStore } from 'countersign/store/sqlite';
    import { scriptedModel } from 'countersign/testing';
    import { z } from 'zod';
    export const store = sqliteStore({ path: 'chats.sqlite' });
    const pay = tool({
      inputSchema: z.object({ to: z.string() }),
      needsApproval: true,
      execute: async () => (await fetch(process.env.PROVIDER, { method: 'POST' })).text(),
    });
    const model = scriptedModel(({ prompt }) =>
      prompt.at(-1)?.role === 'tool' ? [{ text: 'Paid.' }] : [{ call: 'pay', id: 'pay-1', input: { to: 'Bob' } }],
    );
    export const flow = createApprovalFlow({ store, model, tools: { pay } });`,
};

/** The app's folder, with `server.ts` as the guide shows it. Within the project, so that packages are found. */
async function appFolder(): Promise<string> {
  await mkdir(join(root, '.countersign'), { recursive: true });
  const folder = await mkdtemp(join(root, '.countersign', 'container-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const guide = await readFile(join(root, 'docs/guides/run-in-a-container.md'), 'utf8');
  const [, server = ''] = /```ts\n\/\/ server\.ts\n(.*?)```/s.exec(guide) ?? [];
  for (const [path, source] of Object.entries({ ...files, 'server.ts': server })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }
  return folder;
}

/** Starts it as the container does, on a free port. */
async function start(cwd: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, ['-C', 'countersign-source', 'server.ts'], {
    cwd,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ALLOWED_HOSTS: 'chat.example.com', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const lines = createInterface({ input: child.stdout });
  /** Resolves with the first line that matches. @throws Error if the process ends first */
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolveLine, reject) => {
      lines.on('line', (line) => pattern.test(line) && resolveLine(line));
      void exited.then((code) => reject(new Error(`The server ended with code ${code}.`)));
    });
  const [port] = /\d+/.exec(await printed(/Ready on port/)) ?? [];
  const send = (method: string, path: string, body?: unknown, host = 'chat.example.com') =>
    sendRaw({
      method,
      url: `http://127.0.0.1:${port}${path}`,
      headers: { host, 'content-type': 'application/json' },
      body,
    });
  return {
    send,
    async terminate() {
      const stopping = printed(/Shutting down/);
      child.kill('SIGTERM');
      await stopping;
    },
    exited,
  };
}

/** A provider that takes its time. */
async function provider() {
  const begun = barrier();
  const { wait, lift } = barrier();
  const server = createServer(async (request, response) => {
    await request.resume().toArray();
    payments.count += 1;
    begun.lift();
    await wait;
    response.end('The money is on its way.');
  });
  const payments = { count: 0, begun: begun.wait, finish: lift };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { ...payments, payments, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('a container answers probes, finishes its payment on SIGTERM, and the next one continues [H-Health]', async () => {
  const { payments, begun, finish, url } = await provider();
  const folder = await appFolder();
  const first = await start(folder, { PROVIDER: url });
  for (const probe of ['/api/health/live', '/api/health/ready']) {
    expect((await first.send('GET', probe, undefined, '10.0.3.7:3000')).status).toBe(200);
  }
  const message = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Pay Bob.' }] };
  await first.send('POST', '/api/chat', { id: 'chat', message });
  const [question] = JSON.parse((await first.send('GET', '/api/approvals')).text).approvals;
  await first.send('POST', `/api/approvals/${question.id}`, { approved: true });
  await begun;

  await first.terminate();
  finish();
  expect(await first.exited).toBe(0);

  const second = await start(folder, { PROVIDER: url });
  const chat = async () => JSON.parse((await second.send('GET', '/api/chat/chat')).text);
  await expect.poll(async () => (await chat()).run.status).toBe('idle');
  expect((await chat()).messages.at(-1).parts).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ state: 'output-available', output: 'The money is on its way.' }),
      expect.objectContaining({ type: 'text', text: 'Paid.' }),
    ]),
  );
  expect(payments.count).toBe(1);
  await second.terminate();
  expect(await second.exited).toBe(0);
});
