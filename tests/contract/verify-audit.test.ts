import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deriveKey } from '../../lib/server/identity/derive-key.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));
const secret = 'a secret of the server, long enough';
const auditKey = deriveKey(secret, 'audit');
const withSecret = { COUNTERSIGN_SECRET: secret };

/** Runs `countersign` in a process of its own, with little in its environment but what is given. */
async function countersign(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}

/** A folder with a record of seven entries in it, and a way to put more there. */
async function exported() {
  const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
  const done = { text: 'Done.' };
  const clock = fakeClock();
  const { flow, id, say, answer } = flowFixture([[pay], [done], [pay], [done]], { auditKey, clock });
  await answer(questionIn(await say('Pay.')), true);
  clock.advance(60_000);
  await answer(questionIn(await say('Pay again.')), false);
  const { entries, head } = await flow.audit.read({ principal: ada, chatId: id });
  await flow.close();

  const folder = mkdtempSync(join(tmpdir(), 'countersign-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const lines = (of: readonly object[]) => of.map((line) => `${JSON.stringify(line)}\n`).join('');
  const ndjson = (of: readonly object[], end = head) => write('export.ndjson', lines([...of, { head: end }]));
  const json = () => write('export.json', JSON.stringify({ entries, head }, null, 2));
  return { entries, head, write, lines, ndjson, json };
}

type World = Awaited<ReturnType<typeof exported>>;

/** The rows of `npm test`: each row starts a process. */
const isThird = (_: unknown, index: number) => index % 3 === 0;

describe('countersign verify-audit', () => {
  it.each(['json', 'ndjson'] as const)(
    'reports a valid record in %s, what it checked, and its head',
    async (form) => {
      const { entries, head, ndjson, json } = await exported();
      const path = form === 'json' ? json() : ndjson(entries);
      const { code, stdout, stderr } = await countersign(['verify-audit', path], withSecret);
      expect(stdout).toContain(
        'whole: 7 entries of chat chat, from 2030-01-01T00:00:00.000Z to 2030-01-01T00:01:00.000Z',
      );
      expect(stdout).toContain(`head: ${head}`);
      expect(stdout).toContain('--head');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it('accepts a noted head, and then prints no advice', async () => {
    const { entries, ndjson } = await exported();
    const noted = ['--head', entries[3]?.seal ?? ''];
    const { code, stdout } = await countersign(['verify-audit', ndjson(entries), ...noted], withSecret);
    expect(code).toBe(0);
    expect(stdout).not.toContain('--head');
  });

  const broken: readonly [string, (world: World) => string[], RegExp][] = [
    [
      'a changed entry',
      ({ entries, ndjson }) => [ndjson(entries.map((entry) => ({ ...entry, approved: true })))],
      /^broken: Entry 1 was changed.*\nentry 1: asked, pay, call.*, 2030-01-01T00:00:00.000Z\n$/,
    ],
    [
      'a removed entry',
      ({ entries, ndjson }) => [ndjson(entries.toSpliced(4, 1))],
      /^broken: Entry 5 was changed or moved, or what came before it is missing\.\nentry 5: answered, pay/,
    ],
    [
      'an end that was cut off',
      ({ entries, ndjson }) => [ndjson(entries.slice(0, 5))],
      /^broken: The record does not end with its head: what followed entry 5 is gone\.\n$/,
    ],
    [
      'an end that was cut off with its head, by the noted one',
      ({ entries, head, ndjson }) => [ndjson(entries.slice(0, 4), entries[3]?.seal), '--head', head],
      /^broken: The record was cut after entry 4: it does not reach the noted head\.\n$/,
    ],
    [
      'a missing last line',
      ({ entries, lines, write }) => [write('export.ndjson', lines(entries))],
      /^broken: .*export\.ndjson is incomplete/,
    ],
    [
      'an entry that would write to the terminal',
      ({ entries, ndjson }) => [ndjson([{ ...entries[0], type: '\u001b[2Jwhole' }])],
      /entry 1: ⟨U\+001B[^⟩]*⟩\[2Jwhole/,
    ],
  ];
  it.each(rowsOfThisRun(broken, isThird))('finds %s, and names it', async (_name, args, message) => {
    const { code, stdout, stderr } = await countersign(
      ['verify-audit', ...args(await exported())],
      withSecret,
    );
    expect(stdout).toMatch(message);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('takes the key from a variable, the secret from a variable, or the secret from a file', async () => {
    const { entries, ndjson, write } = await exported();
    const path = ndjson(entries);
    const file = write('secret', `${secret}\n`);
    const ways: [string[], Record<string, string>][] = [
      [['--key-env', 'AUDIT_KEY'], { AUDIT_KEY: auditKey }],
      [['--secret-env', 'MY_SECRET'], { MY_SECRET: secret }],
      [['--secret-file', file], {}],
    ];
    for (const [args, env] of ways) {
      const { code, stdout } = await countersign(['verify-audit', path, ...args], env);
      expect(code, args.join(' ')).toBe(0);
      expect(stdout).not.toContain(secret);
    }
  });

  it('says that the record is invalid or the key a different one', async () => {
    const { entries, ndjson } = await exported();
    const other = { COUNTERSIGN_SECRET: 'another secret of the server' };
    const { code, stdout } = await countersign(['verify-audit', ndjson(entries)], other);
    expect(code).toBe(1);
    expect(stdout).toContain('or this is not the key it was sealed with');
  });

  it('reports a record without entries as valid, unless a head was noted', async () => {
    const { head, ndjson } = await exported();
    const path = ndjson([], '');
    expect(await countersign(['verify-audit', path], withSecret)).toMatchObject({ code: 0 });
    const noted = await countersign(['verify-audit', path, '--head', head], withSecret);
    expect(noted).toMatchObject({ code: 1, stdout: expect.stringContaining('after entry 0') });
  });

  const refused: readonly [string, (world: World) => string[], Record<string, string>, string][] = [
    ['no file', () => [], withSecret, 'Give one exported file.'],
    ['two files', () => ['a', 'b'], withSecret, 'Give one exported file.'],
    ['a file that does not exist', () => ['gone.ndjson'], withSecret, 'gone.ndjson cannot be read.'],
    ['an empty file', ({ write }) => [write('e', '\n')], withSecret, 'The file is empty'],
    [
      'a line that is cut',
      ({ write }) => [write('e', '{"seal":"x"}\n{"se')],
      withSecret,
      'Line 2 is not JSON.',
    ],
    [
      'a list of something else',
      ({ write }) => [write('e', '{"a":1}\n')],
      withSecret,
      'Entry 1 is not an audit entry',
    ],
    ['no secret', ({ json }) => [json()], {}, 'COUNTERSIGN_SECRET is not set.'],
    [
      'a secret that is too short',
      ({ json }) => [json()],
      { COUNTERSIGN_SECRET: 'short' },
      'at least 16 characters',
    ],
    [
      'a key that is too short',
      ({ json }) => [json(), '--key-env', 'K'],
      { K: 'short' },
      'at least 16 characters',
    ],
    ['two keys', ({ json }) => [json(), '--key-env', 'K', '--secret-env', 'S'], {}, 'in one way only'],
    ['an empty head', ({ json }) => [json(), '--head', ''], withSecret, '--head needs the head'],
    ['an unknown option', ({ json }) => [json(), '--key', 'x'], withSecret, "'--key'"],
  ];
  it.each(rowsOfThisRun(refused, isThird))(
    'cannot check %s, and prints its usage',
    async (_name, args, env, message) => {
      const { code, stdout, stderr } = await countersign(['verify-audit', ...args(await exported())], env);
      expect(stderr).toContain(message);
      expect(stderr).toContain('countersign verify-audit <export');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );
});

describe('countersign', () => {
  it.each([
    [['--help'], 0],
    [[], 2],
    [['sign'], 2],
  ])('lists its commands when called with %j, and exits with %i', async (args, expected) => {
    const { code, stdout, stderr } = await countersign(args);
    expect(code).toBe(expected);
    expect(stdout + stderr).toContain('countersign verify-audit');
  });
});
