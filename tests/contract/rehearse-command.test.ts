import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rehearsal } from 'countersign/plugins/rehearsal';
import { sqliteStore } from 'countersign/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTime } from '../../lib/plugins/rehearsal/parse-time.ts';
import { rehearsalLines } from '../../lib/plugins/rehearsal/rehearsal-text.ts';
import { parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';
import { flowFixture } from '../support/flow-fixture.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));
const support = (name: string) => fileURLToPath(new URL(`../support/rehearsal/${name}.ts`, import.meta.url));

describe('countersign rehearse [ADR 0046]', () => {
  let folder: string;
  let database: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-rehearse-'));
    database = join(folder, 'chats.sqlite');
    const store = sqliteStore({ path: database });
    const { chat, flow } = flowFixture([[{ call: 'pay', input: { to: 'Eve\u001b[2J', amount: 700 } }]], {
      store,
    });
    await chat().say('Pay.');
    await flow.close();
    await store.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: readonly string[]) {
    const env = { ...process.env, DATABASE: database };
    return new Promise<{ code: unknown; out: string; errors: string }>((resolve) => {
      execFile(
        process.execPath,
        ['--conditions=countersign-source', program, 'rehearse', ...args],
        { env },
        (error, out, errors) => resolve({ code: error?.code ?? 0, out, errors }),
      );
    });
  }

  it('prints the decisions that differ, without control characters for the terminal', async () => {
    const { code, out, errors } = await run(
      '--flow',
      support('flow'),
      '--policy',
      support('policy'),
      '--since',
      '1d',
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/^1 call in 1 chat, /);
    expect(out).toMatch(/^asked +1 +0$/m);
    expect(out).toMatch(/^asked → denied: 1 call of 1 person \(pay 1\)$/m);
    expect(out).toContain('Too much.');
    expect(out).not.toContain('\u001b');
  });

  it('prints JSON on request', async () => {
    const { out } = await run(
      '--flow',
      support('flow'),
      '--policy',
      support('policy'),
      '--since',
      '1d',
      '--json',
    );
    expect(JSON.parse(out)).toMatchObject({ calls: 1, changes: [{ from: 'asked', to: 'denied' }] });
  });

  it('exits with 1 if the gate fails', async () => {
    const { code, out } = await run(
      '--flow',
      support('flow'),
      '--policy',
      support('failing-policy'),
      '--since',
      '1d',
    );
    expect(code).toBe(1);
    expect(out).toMatch(/^failed +0 +1$/m);
  });

  it.each([
    ['without a flow', ['--policy', 'p', '--since', '1d'], '--flow <module>'],
    ['without a policy', ['--flow', 'f', '--since', '1d'], '--policy <module>'],
    ['without a time', ['--flow', 'f', '--policy', 'p'], '--since <time>'],
    ['with a time in another format', ['--flow', 'f', '--policy', 'p', '--since', 'soon'], 'is not a time'],
    [
      'with a module without a gate',
      ['--flow', support('flow'), '--policy', support('flow'), '--since', '1d'],
      'toolApproval',
    ],
    ['with an unknown option', ['--sinse', '1d'], '--sinse'],
  ])('exits with 2 %s', async (_, args, message) => {
    const { code, errors } = await run(...args);
    expect(code).toBe(2);
    expect(errors).toContain(message);
  });
});

describe('a time on the command line', () => {
  const now = Date.UTC(2026, 10, 25);
  it.each([
    ['90m', now - 90 * 60_000],
    ['12h', now - 12 * 3_600_000],
    ['30d', now - 30 * 86_400_000],
    ['2026-11-01', Date.UTC(2026, 10, 1)],
    ['2026-11-01T12:00:00Z', Date.UTC(2026, 10, 1, 12)],
  ])('is %s', (text, expected) => expect(parseTime(text, '--since', now)).toBe(expected));

  it.each(['', '30', 'd', '-1d', '30 days', '2026', '1e3d'])('is not %j', (text) =>
    expect(() => parseTime(text, '--since', now)).toThrow('--since'),
  );
});

describe('the report of a rehearsal', () => {
  it('shows how questions ended, the examples, and the calls that were not rehearsed', () => {
    const decisions = { asked: 2, allowed: 0, denied: 0, failed: 0 };
    const rehearsal: Rehearsal = {
      ...{ since: 0, until: 86_400_000, chats: 1, calls: 2 },
      recorded: decisions,
      rehearsed: { ...decisions, asked: 0, allowed: 2 },
      changes: [
        {
          ...{ from: 'asked', to: 'allowed', calls: 2, people: 1, tools: { pay: 2 } },
          answers: { approved: 1, edited: 0, denied: 0, remembered: 0, none: 1 },
          examples: [
            {
              ...{ chatId: parseChatId('one'), toolCallId: parseToolCallId('c'), toolName: 'pay', at: 5 },
              ...{ description: 'Pay Alice', input: { to: 'Alice' }, askedBy: { id: 'ada', name: 'Ada' } },
              ...{ answer: 'approved', reason: 'Small.' },
            },
          ],
        },
      ],
      notRehearsed: { 'tool-removed': 1, 'arguments-unfit': 0, subagent: 3, 'agent-request': 0 },
    };
    expect(rehearsalLines(rehearsal)).toEqual([
      '2 calls in 1 chat, 1970-01-01T00:00:00.000Z to 1970-01-02T00:00:00.000Z',
      '1 call not rehearsed: the tool was removed',
      '3 calls not rehearsed: made by a subagent',
      '',
      '              then rehearsed',
      'asked            2         0',
      'allowed          0         2',
      'denied           0         0',
      'failed           0         0',
      '',
      'asked → allowed: 2 calls of 1 person (pay 2)',
      '  the questions then: approved 1, without an answer 1',
      '  1970-01-01T00:00:00.005Z · Pay Alice {"to":"Alice"} for Ada · approved · Small. · chat one, call c',
    ]);
  });
});
