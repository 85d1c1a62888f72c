import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditKey } from 'countersign/audit';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyAuditCommand } from '../../../lib/cli/verify-audit.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const done = { text: 'Done.' };
const first = 'an audit key for tests';
const second = 'a second key for tests';
const ring = { current: { id: 'k2', key: second }, former: [{ key: first }] };
const env = { FIRST: first, SECOND: second };

/** Runs the command in this process; gives its exit code and what it printed. */
async function verifyAudit(...args: string[]) {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const code = await verifyAuditCommand(args, { env, print, complain: print });
  return { code, printed: printed.join('\n') };
}

/** Payments under two keys, one of their chats erased, exported as `flow.audit.export` gives it. */
async function exported(change: (lines: string[]) => string[] = (lines) => lines) {
  const clock = fakeClock();
  const before = flowFixture([[pay], [done]], { auditKey: first, clock, sweepMs: 1e9 });
  const { store } = before;
  const paid = async ({ chat }: typeof before, id: string) => {
    await chat(id).answer(questionIn(await chat(id).say('Pay.')), true);
  };
  await paid(before, 'old');
  await before.flow.recover();
  await before.flow.close();
  const after = flowFixture([[pay], [done], [pay], [done]], { auditKey: ring, clock, store, sweepMs: 1e9 });
  onTestFinished(() => after.flow.close());
  await paid(after, 'new');
  await paid(after, 'gone');
  await after.flow.chats.erase({ principal: ada, chatId: after.chat('gone').id });
  clock.advance(60_000);
  await after.flow.recover();
  const lines: string[] = [];
  for await (const section of after.flow.audit.export()) lines.push(`${JSON.stringify(section)}\n`);
  const { entries, head } = await after.flow.audit.read({ principal: ada, chatId: after.chat('new').id });

  const folder = mkdtempSync(join(tmpdir(), 'countersign-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { write, path: write('store.ndjson', change(lines).join('')), entries, head };
}

describe('countersign verify-audit of the whole record', () => {
  const keys = ['--key-env', 'k2=SECOND', '--key-env', 'FIRST'];

  it('reports a valid record, what it checked, and the head of the flow’s log', async () => {
    const { path } = await exported();
    const { code, printed } = await verifyAudit(path, ...keys);
    expect(printed).toMatch(/^whole: 2 chats, 1 kept records of erased ones\nhead of the flow's log: k2\./);
    expect(code).toBe(0);
    const noted = printed.split(' ').at(-1) ?? '';
    expect(await verifyAudit(path, ...keys, '--head', noted)).toMatchObject({ code: 0 });
    expect(await verifyAudit(path, ...keys, '--head', `k2.${'A'.repeat(43)}`)).toMatchObject({
      code: 1,
      printed: expect.stringContaining('noted head'),
    });
  });

  it.each<[string, (lines: string[]) => string[], string]>([
    ['an erased chat', (lines) => lines.filter((line) => !line.includes('"chatId":"old"')), 'parts of it'],
    ['another sum', (lines) => lines.map((line) => line.replace('"amount":30', '"amount":31')), 'chat'],
    ['a missing end', (lines) => lines.slice(0, -1), 'parts of it'],
  ])('finds %s', async (_name, change, words) => {
    const { path } = await exported(change);
    expect(await verifyAudit(path, ...keys)).toMatchObject({
      code: 1,
      printed: expect.stringMatching(new RegExp(`^broken: .*${words}`)),
    });
  });

  it('names the key that is missing', async () => {
    const { path } = await exported();
    const { code, printed } = await verifyAudit(path, '--key-env', 'k1=SECOND', '--key-env', 'FIRST');
    expect(printed).toContain('the key "k2", which was not given');
    expect(code).toBe(1);
  });

  it.each<[string[], string]>([
    [['--key-env', 'FIRST', '--key-env', 'SECOND'], 'at most one key without an id'],
    [['--key-env', 'k2=SECOND', '--key-env', 'k2=FIRST'], 'is the id of another key'],
    [['--key-env', 'k 2=SECOND'], '1 to 32 characters'],
    [['--key-env', 'k2=MISSING'], 'MISSING is not set'],
  ])('cannot check with %j', async (args, words) => {
    const { path } = await exported();
    await expect(verifyAudit(path, ...args)).rejects.toThrow(words);
  });

  it('reports what the export says about the log of a chat', async () => {
    const { write, entries, head } = await exported();
    const faults = [{ type: 'unsealed', seq: 7, event: 'approval-answered', toolCallId: 'c1' }];
    const path = write('chat.json', JSON.stringify({ entries, head, faults }));
    const { code, printed } = await verifyAudit(path, '--key-env', 'k2=SECOND');
    expect(printed).toContain('an event without a seal: approval-answered (event 7, call c1)');
    expect(code).toBe(1);
  });

  it('accepts a ring in the same form as the flow', () => {
    const keyed: AuditKey = ring;
    expect(() => flowFixture([], { auditKey: keyed }).flow.close()).not.toThrow();
    const twice = { current: ring.current, former: [ring.current] };
    expect(() => flowFixture([], { auditKey: twice })).toThrow('is the id of another key');
  });
});
