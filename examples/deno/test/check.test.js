import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Needs a model: OPENAI_API_KEY, and OPENAI_BASE_URL for another provider than OpenAI. */
test('the server keeps every rule of the approval protocol', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'chats-'));
  const server = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', CHATS: join(folder, 'chats.sqlite') },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  t.after(async () => {
    process.kill(-server.pid);
    await once(server, 'exit');
    await rm(folder, { recursive: true, maxRetries: 5 });
  });
  const url = await addressOf(server);

  const check = ['countersign', 'check', `${url}/api/chat`, '--prompt', 'Pay Alice 30 and Bob 40'];
  const { stdout } = await promisify(execFile)('npx', check);
  assert.match(stdout, /T1\b/);
});

function addressOf(server) {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The server ended with code ${code}.`)));
    createInterface({ input: server.stdout }).on('line', (line) => {
      const port = /http:\/\/(?:127[.]0[.]0[.]1|localhost):(\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
}
