// depends on: lib/runtime lib/stores lib/cli
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { linkLibrary } from './support/installed.ts';
import { run } from './support/run.ts';

/** Opens every door that Node can open, and takes one payment from the question to the end. */
const program = `
import assert from 'node:assert/strict';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import 'countersign/bidi';
import { createBidiServer } from 'countersign/bidi/server';
import 'countersign/client';
import 'countersign/dialects';
import 'countersign/dialects/client';
import 'countersign/plugins/chat-socket';
import 'countersign/plugins/responses';
import 'countersign/plugins/tool-events';
import 'countersign/plugins/two-step-stream';
import 'countersign/http/server';
import 'countersign/sse';
import 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import 'countersign/store/postgres';
import 'countersign/store/sqlite';
import { scriptedModel } from 'countersign/testing';
import 'countersign/plugins/email';
import 'countersign/plugins/slack';
import 'countersign/plugins/webhooks';
import { z } from 'zod';

const ran = [];
const flow = createApprovalFlow({
  store: sqliteStore({ path: 'chats.sqlite' }),
  model: scriptedModel([[{ call: 'pay', input: { to: 'Alice' } }], [{ text: 'Paid.' }]]),
  tools: { pay: tool({ inputSchema: z.object({ to: z.string() }), execute: ({ to }) => ran.push(to) }) },
  toolApproval: { pay: 'user-approval' },
});
const principal = { id: 'ada', name: 'Ada' };
const read = async ({ events }) => { const all = []; for await (const event of events) all.push(event); return all; };
const message = { id: 'm1', parts: [{ type: 'text', text: 'Pay Alice.' }] };
const asked = await read(
  await flow.chats.respond({ chatId: 'chat', principal, trigger: 'submit-message', message, via: 'test' }),
);
assert.deepEqual(ran, []);
const { approvalId } = asked.find(({ type }) => type === 'approval-requested');
const answers = [{ approvalId, approved: true }];
const final = await read(
  await flow.chats.respond({ chatId: 'chat', principal, trigger: 'submit-message', answers, via: 'test' }),
);
assert.equal(final.at(-1).type, 'run-completed');
assert.deepEqual(ran, ['Alice']);
// Nothing above needs the package ws; a WebSocket server does, and says so.
assert.throws(() => createBidiServer(flow, { authorize: () => principal }), /npm install ws@8/);
await flow.close();
console.log(process.version);
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-node-'));
  await linkLibrary(folder, ['ai', 'zod']);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'program.js'), program);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the package in Node', () => {
  const versions = ['22.13.0', '22.23.3', '24.21.0', '26.9.0'];
  it.each(rowsOfThisRun(versions, (version) => version === '24.21.0'))('runs on %s', async (version) => {
    const node = version === process.versions.node ? process.execPath : await installedNode(version);
    const said = await run(node, ['program.js'], { cwd: folder });
    expect(said.trim().split('\\n').at(-1)).toBe(`v${version}`);
    await rm(join(folder, 'chats.sqlite'), { force: true });
  });
});

async function installedNode(version: string): Promise<string> {
  const home = join(folder, `node-${version}`);
  const wanted = { dependencies: { node: version }, allowScripts: { node: true } };
  await mkdir(home);
  await writeFile(join(home, 'package.json'), JSON.stringify(wanted));
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: home });
  return join(home, 'node_modules', '.bin', 'node');
}
