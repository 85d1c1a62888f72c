import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CountersignError, type FlowSettings } from 'countersign';
import { imports } from 'countersign/plugins/imports';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../lib/cli/command.ts';
import { importChats, importCommand } from '../../lib/plugins/imports/command.ts';
import { linesOf } from '../../lib/plugins/imports/lines.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { importedPayment, person } from '../support/imported-chats.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));
const module = fileURLToPath(new URL('../support/flow-to-import.ts', import.meta.url));
const withoutImports = fileURLToPath(new URL('../support/rehearsal/flow.ts', import.meta.url));

const chat = (id: unknown, more: object = {}) =>
  JSON.stringify({ id, principal: ada, messages: [person], ...more });

async function* bytesOf(...chunks: readonly (string | Uint8Array)[]) {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

/** Imports a text in this process. */
function importing(settings: Partial<FlowSettings> = {}) {
  const { flow } = flowFixture([], { ...settings, plugins: [imports()] });
  onTestFinished(() => flow.close());
  const run = async (...chunks: readonly (string | Uint8Array)[]) => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    return { code: await importChats(flow, bytesOf(...chunks), { print, complain: print }), printed };
  };
  return { flow, run };
}

describe('countersign import', () => {
  it('imports a chat per line, reports each, and changes nothing when repeated', async () => {
    const { flow, run } = importing();
    const old = { title: 'Old', createdAt: '2025-01-02T03:04:05Z', updatedAt: Date.UTC(2025, 1, 2) };
    const text = [chat('one', old), '', chat('two', { messages: importedPayment }), ''].join('\n');
    const first = await run(text);
    expect(first.code).toBe(0);
    expect(first.printed).toEqual([
      'line 1: imported chat one',
      expect.stringMatching(/^line 3: imported chat two, asks apr_/),
      '2 imported, 0 unchanged, 0 failed',
    ]);
    const { items } = await flow.chats.list({ principal: ada });
    expect(items.find(({ id }) => id === 'one')).toMatchObject({
      title: 'Old',
      createdAt: Date.UTC(2025, 0, 2, 3, 4, 5),
      updatedAt: Date.UTC(2025, 1, 2),
    });
    expect(await run(text)).toMatchObject({ code: 0, printed: { 2: '0 imported, 2 unchanged, 0 failed' } });
  });

  it('continues after a line that fails, and says why', async () => {
    const { run } = importing();
    const { code, printed } = await run(
      ['no JSON', '[]', chat(7), chat('a', { user: 1 }), chat('a', { createdAt: 'soon' })].join('\n'),
      `\n${chat('a b')}\n${chat('c', { messages: [{ id: 'x' }] })}\n${chat('d')}\n${chat('d', { messages: [] })}`,
    );
    expect(code).toBe(1);
    expect(printed).toEqual([
      'line 1: failed: The line is not a JSON object.',
      'line 2: failed: The line is not a JSON object.',
      expect.stringMatching(/^line 3: failed: id: /),
      expect.stringMatching(/^line 4: failed: .*user/),
      expect.stringMatching(/^line 5: failed chat a: `createdAt` must be a time/),
      expect.stringMatching(/^line 6: failed chat a b: A chat id has/),
      expect.stringMatching(/^line 7: failed chat c: Message 1 \(x\), role: /),
      'line 8: imported chat d',
      'line 9: failed chat d: Chat d was imported with other messages. Import these under a new id.',
      '1 imported, 0 unchanged, 8 failed',
    ]);
  });

  it.each<[string, NonNullable<FlowSettings['prepareCall']>]>([
    ['throws', () => Promise.reject(new Error('No such tenant.'))],
    ['returns what it must not', () => ({ nonsense: 1 }) as never],
  ])('continues after a chat for which `prepareCall` %s', async (_what, prepareCall) => {
    const { run } = importing({ prepareCall });
    const { code, printed } = await run(chat('one', { messages: importedPayment }), '\n', chat('two'));
    expect(code).toBe(1);
    expect(printed).toEqual([
      'line 1: failed chat one: The settings of chat one could not be prepared. Check `prepareCall`.',
      'line 2: imported chat two',
      '1 imported, 0 unchanged, 1 failed',
    ]);
  });

  it('ends early if `prepareCall` may succeed later', async () => {
    const error = new CountersignError('unavailable', 'Busy.', {}, { transient: true });
    const { run } = importing({ prepareCall: () => Promise.reject(error) });
    const { code, printed } = await run(chat('one', { messages: importedPayment }));
    expect([code, printed[0]]).toEqual([2, expect.stringContaining('Busy. Run the command again.')]);
  });

  it('ends early at an error that no line caused, and says that it can be repeated', async () => {
    const { run } = importing();
    const { code, printed } = await run(chat('one'), '\n', Uint8Array.of(0xff), '\n');
    expect(code).toBe(2);
    expect(printed).toEqual([
      'line 1: imported chat one',
      expect.stringMatching(/^Ended after line 1: .* Run the command again\.$/),
      '1 imported, 0 unchanged, 0 failed, ended early',
    ]);
    const broken = { imports: { chat: () => Promise.reject(new Error('The database is gone.')) } };
    const complaints: string[] = [];
    const complain = (line: string) => void complaints.push(line);
    const code2 = await importChats(broken, bytesOf(chat('one')), { print: () => {}, complain });
    expect([code2, ...complaints]).toEqual([
      2,
      'Ended after line 1: Error: The database is gone. Run the command again.',
    ]);
  });

  it('ends a line only at a line feed', async () => {
    const separators = 'a\u2028b\u2029c\rd';
    const [head, tail] = [Uint8Array.of(0xe2, 0x82), Uint8Array.of(0xac)];
    const lines: string[] = [];
    for await (const line of linesOf(bytesOf(separators, '\n', head, tail, '\n'))) lines.push(line);
    expect(lines).toEqual([separators, '€']);
  });

  it.each([
    [[], 'Give the module'],
    [['--flow', module], 'Give one file'],
    [['--flow', module, 'a', 'b'], 'Give one file'],
    [['--flow', '/nowhere.js', '-'], 'cannot be loaded'],
    [['--flow', fileURLToPath(import.meta.resolve('zod')), '-'], 'does not export a flow'],
    [['--flow', withoutImports, '-'], 'lacks a plugin. Add `imports()`'],
    [['--quick'], 'Unknown option'],
  ])('refuses the arguments %j', async (args, message) => {
    const quiet = { env: {}, print: () => {}, complain: () => {} };
    await expect(importCommand(args, quiet)).rejects.toThrow(UsageError);
    await expect(importCommand(args, quiet)).rejects.toThrow(message);
  });

  it('reads a file or its input, in a process of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-import-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'chats.sqlite');
    const file = join(folder, 'chats.ndjson');
    writeFileSync(file, chat('one'));
    const ran = await Promise.all([countersign(path, file), countersign(path, '-', chat('two'))]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    expect(ran.map(({ stdout }) => stdout)).toEqual(
      ['one', 'two'].map((id) => `line 1: imported chat ${id}\n1 imported, 0 unchanged, 0 failed\n`),
    );
    const store = sqliteStore({ path });
    expect(await store.chats.head(parseChatId('two'))).toMatchObject({ ownerId: ada.id, title: 'Weather?' });
    await store.close();
  });
});

/** Runs the command in a process of its own. */
async function countersign(database: string, source: string, input = '') {
  const args = ['-C', 'countersign-source', '--no-warnings', program, 'import', '--flow', module, source];
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATABASE: database },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, stdout };
}
