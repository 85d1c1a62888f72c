import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askPerson } from 'countersign';
import { escalation } from 'countersign/plugins/escalation';
import { remembered } from 'countersign/plugins/remembered';
import { votes } from 'countersign/plugins/votes';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../lib/cli/command.ts';
import type { FlowSettings } from '../../lib/settings/flow-settings.ts';
import { bookTool } from '../support/asking-fixture.ts';
import { fakeTerminal, runApprovals } from '../support/fake-terminal.ts';
import { askedBy, type KeyedServer, keyedServer, keys } from '../support/keyed-server.ts';
import { waitFor } from '../support/wait-for.ts';

const program = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url));

const script: Script = [[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Paid.' }]];

type PayDetails = NonNullable<FlowSettings['toolDetails']>[string];

/** A server where Ada was asked to pay Alice 30. */
async function asking(pay: PayDetails = {}, settings: Partial<FlowSettings> = {}) {
  const details = { title: 'Payment', describe: () => 'Pay Alice 30.', ...pay };
  const server = await keyedServer({
    script,
    toolDetails: { pay: details } as never,
    plugins: [remembered(), votes()],
    ...settings,
  });
  const { id } = await askedBy(server, keys.ada);
  return { server, id };
}

/** An editor that replaces what it opens. */
function editorThat(writes: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'editor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'editor.sh');
  writeFileSync(file, `#!/bin/sh\n${writes}\n`);
  chmodSync(file, 0o700);
  return file;
}

const stateOf = async ({ send }: KeyedServer, id: string) =>
  (await send(keys.ada, 'GET', `/approvals/${id}`)).body.approval;

describe('countersign approvals list and show', () => {
  it('lists the questions that a user may answer, and says when there is none [H9]', async () => {
    const { server, id } = await asking({ risk: 'high' });
    const { code, printed } = await runApprovals(server, keys.ada, ['list']);
    expect(code).toBe(0);
    expect(printed[0]).toMatch(/^ID +WAITING +RISK +ASKED BY +WHAT$/);
    expect(printed[1]).toMatch(new RegExp(`^${id} +\\d+ s +high +Ada +Pay Alice 30\\.$`));
    expect((await runApprovals(server, keys.ben, ['list'])).printed).toEqual(['Nothing is waiting.']);
  });

  it('prints one JSON object with --json [H9]', async () => {
    const { server, id } = await asking();
    const list = await runApprovals(server, keys.ada, ['list', '--json']);
    expect(JSON.parse(list.text)).toMatchObject({ complete: true, approvals: [{ id, toolName: 'pay' }] });
    const show = await runApprovals(server, keys.ada, ['show', id, '--json']);
    expect(JSON.parse(show.text)).toMatchObject({ approval: { id }, shownDigest: expect.any(String) });
  });

  it('shows the votes on a question, and that one was recorded [0047.2]', async () => {
    const { server, id } = await asking({ approvers: () => true, votes: { count: 2 } });
    const listed = async () => (await runApprovals(server, keys.ben, ['list'])).printed[1];
    expect(await listed()).toMatch(/ Pay Alice 30\.$/);
    const voted = await runApprovals(server, keys.ada, ['approve', id, '--reason', 'Checked.']);
    expect(voted.code).toBe(0);
    expect(await listed()).toContain('Pay Alice 30. (answers: 1)');
    expect(voted.printed.at(-1)).toBe(
      `Your answer is recorded. Question ${id} is open: it waits for others.`,
    );
    const { text } = await runApprovals(server, keys.ada, ['show', id]);
    expect(text).toMatch(/answered: +Ada \(\S+\) approved\nReason of Ada \(\S+\):/);
    expect(text).toContain('You approved. Waiting for 1 more approval.');
    expect((await runApprovals(server, keys.ada, ['deny', id])).code).toBe(4);
    expect((await runApprovals(server, keys.ben, ['approve', id])).printed.at(-1)).toBe(
      `Question ${id} is approved.`,
    );
  });

  it('shows every fact of a question [S4, S8]', async () => {
    const { server, id } = await asking(
      {
        risk: { level: 'high', reason: 'new payee' },
        subject: () => 'Alice',
        preview: () => ({
          summary: 'Balance falls to 70.',
          parts: [
            { type: 'totals', totals: [{ label: 'balance', value: 70 }] },
            { type: 'diff', before: '100', after: '70' },
            { type: 'list', title: 'Accounts', items: ['current'] },
            { type: 'table', rows: [{ account: 'current', after: 70 }], rowCount: 2 },
          ],
        }),
      },
      { deadlineMs: 3_600_000 },
    );
    const { text } = await runApprovals(server, keys.ada, ['show', id]);
    for (const fact of [
      'Pay Alice 30.',
      `${id} (open)`,
      'Payment (pay)',
      'high: new payee',
      'Ada (user:ada)',
      'waiting since: ',
      'deadline:      in ',
      'may answer:    you',
      '"amount": 30',
      'Earlier calls about Alice: 0',
      'Balance falls to 70.',
      'balance: 70',
      '| 100',
      '- current',
      '(1 of 2 rows)',
      'The asker wrote:',
      '| Pay Alice.',
      'History:',
      'shown digest:',
    ])
      expect(text).toContain(fact);
  });

  it('shows when a question was escalated, to whom, and how it ends [H12]', async () => {
    const clock = fakeClock();
    const to = () => true;
    const plan = {
      steps: [{ afterMs: 60_000, to, label: 'managers' }],
      end: { afterMs: 600_000, then: 'withdraw' as const },
    };
    const { server, id } = await asking({ escalation: plan }, { clock, plugins: [escalation()] });
    const shown = async () => (await runApprovals(server, keys.ada, ['show', id])).text;
    expect(await shown()).toMatch(/^Will be withdrawn at .*2030-01-01T00:10:00.*if nobody answers\.$/m);
    expect(await shown()).not.toContain('Escalated to');
    await waitFor(async () => {
      clock.advance(60_000);
      expect(await shown()).toMatch(/^Escalated to managers at .*2030-01-01T00:0\d:\d\d.*\.$/m);
    });
  });

  it('says who may answer to a person who may not [H13]', async () => {
    const { server, id } = await asking({ approvers: () => false, whoMayAnswer: () => 'Waiting for Zoe.' });
    const { text } = await runApprovals(server, keys.ada, ['show', id]);
    expect(text).toContain('may answer:    Waiting for Zoe.');
    const answered = await runApprovals(server, keys.ada, ['approve', id]);
    expect([answered.code, answered.complained]).toEqual([6, ['Waiting for Zoe.']]);
  });
});

describe('countersign approvals approve and deny', () => {
  it('approves what it has shown, and the call runs [H10]', async () => {
    const { server, id } = await asking();
    const { code, text } = await runApprovals(server, keys.ada, ['approve', id]);
    expect(code).toBe(0);
    expect(text).toContain(`Question ${id} is approved.`);
    expect(text).toContain('"amount": 30');
    expect(await stateOf(server, id)).toMatchObject({ state: 'approved', answer: { via: 'http' } });
  });

  it('denies with a reason, and prompts for one if the tool asks for it [H10]', async () => {
    const { server, id } = await asking({ reasonOnDeny: true });
    const prompt = async () => ' Too much. ';
    expect((await runApprovals(server, keys.ada, ['deny', id], { prompt })).code).toBe(0);
    expect(await stateOf(server, id)).toMatchObject({ state: 'denied', answer: { reason: 'Too much.' } });
  });

  it('ends with 4 and names the standing answer if another was first [H10]', async () => {
    const { server, id } = await asking();
    await server.send(keys.ada, 'POST', `/approvals/${id}`, { approved: false });
    const { code, text, complained } = await runApprovals(server, keys.ada, ['approve', id, '--json']);
    expect([code, complained]).toEqual([4, [`Question ${id} is already denied by Ada.`]]);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'already-answered', answer: { approved: false } },
    });
  });

  it('ends with 3 for a question that does not exist, and with 6 for a wrong key [H-Errors]', async () => {
    const { server } = await asking();
    expect((await runApprovals(server, keys.ada, ['show', 'apr_none'])).code).toBe(3);
    const wrong = await runApprovals(server, 'a-key-that-nobody-has', ['list']);
    expect([wrong.code, wrong.complained.at(-1)]).toEqual([6, 'Check COUNTERSIGN_KEY.']);
  });

  it('ends with 1 if the server cannot be reached [H-Errors]', async () => {
    const { code, complained } = await runApprovals({ url: 'http://127.0.0.1:1' }, keys.ada, ['list']);
    expect(code).toBe(1);
    expect(complained[0]).toMatch(/^The server cannot be reached: /);
  });

  it('refuses an effect that has changed since it was shown, and the digest of another view [ADR 0040]', async () => {
    let balance = 70;
    const { server, id } = await asking({ preview: () => ({ summary: `Balance falls to ${balance}.` }) });
    const shown = JSON.parse((await runApprovals(server, keys.ada, ['show', id, '--json'])).text);
    const stale = await runApprovals(server, keys.ada, ['approve', id, '--digest', 'old.old']);
    expect(stale.code).toBe(5);
    balance = 20;
    const prompt = async () => 'yes';
    const input = { to: 'Alice', amount: 31 };
    const env = { EDITOR: editorThat(`echo '${JSON.stringify(input)}' > "$1"`) };
    const edited = await runApprovals(
      server,
      keys.ada,
      ['approve', id, '--edit', '--digest', shown.shownDigest],
      { prompt, env },
    );
    expect([edited.code, edited.text]).toEqual([0, expect.stringContaining('Balance falls to 20.')]);
  });

  it('edits the arguments, and shows the changes before it sends them [H10]', async () => {
    const { server, id } = await asking();
    const env = { VISUAL: editorThat('sed -i s/30/25/ "$1"') };
    const { code, text } = await runApprovals(server, keys.ada, ['approve', id, '--edit'], { env });
    expect([code, text]).toEqual([0, expect.stringContaining('  amount: 30 -> 25')]);
    expect(await stateOf(server, id)).toMatchObject({ answer: { input: { to: 'Alice', amount: 25 } } });
  });

  const options = [
    { id: 'all', label: 'Approve', then: 'approve' },
    { id: 'less', label: 'Pay 10', then: 'approve', input: () => ({ to: 'Alice', amount: 10 }) },
    { id: 'none', label: 'Deny', then: 'deny', reason: 'Ask for an invoice.' },
  ] as const;

  it('approves or denies with an option that show lists [ADR 0050]', async () => {
    const { server, id } = await asking({ options });
    const { text } = await runApprovals(server, keys.ada, ['show', id]);
    for (const fact of ['less', 'Pay 10', '"amount": 10']) expect(text).toContain(fact);
    expect((await runApprovals(server, keys.ada, ['approve', id, '--option', 'less'])).code).toBe(0);
    expect(await stateOf(server, id)).toMatchObject({
      state: 'approved',
      answer: { option: { id: 'less', label: 'Pay 10' }, input: { to: 'Alice', amount: 10 } },
    });
    const other = await asking({ options });
    const denied = await runApprovals(other.server, keys.ada, ['deny', other.id, '--option', 'none']);
    expect([denied.code, await stateOf(other.server, other.id)]).toMatchObject([
      0,
      { state: 'denied', answer: { option: { id: 'none' }, reason: 'Ask for an invoice.' } },
    ]);
  });

  it.each([
    [
      'an option that the question does not have',
      ['approve', '--option', 'some'],
      'It has: all, less, none.',
    ],
    ['an option to deny with', ['approve', '--option', 'none'], 'is one to deny with'],
    ['an option and a value', ['approve', '--option', 'less', '--value', '1'], 'not several of them'],
  ] as const)('answers nothing with %s [ADR 0050]', async (_name, [action, ...given], message) => {
    const { server, id } = await asking({ options });
    await expect(runApprovals(server, keys.ada, [action, id, ...given])).rejects.toThrow(message);
    expect((await stateOf(server, id)).state).toBe('open');
  });

  it('answers a form with a value, and shows what does not fit [ADR 0050]', async () => {
    const server = await keyedServer({
      script: [[{ call: 'ask', input: { question: 'How many nights?' } }], [{ text: 'Booked.' }]],
      tools: { ask: askPerson({ schema: z.object({ nights: z.int().min(1) }) }) },
      toolDetails: {},
    });
    const { id } = await askedBy(server, keys.ada);
    expect((await runApprovals(server, keys.ada, ['show', id])).text).toContain('How many nights?');
    const unfit = await runApprovals(server, keys.ada, ['approve', id, '--value', '{"nights":0}']);
    expect([unfit.code, unfit.complained.join('\n')]).toEqual([1, expect.stringContaining('nights')]);
    expect((await runApprovals(server, keys.ada, ['approve', id, '--value', '{"nights":2}'])).code).toBe(0);
    expect(await stateOf(server, id)).toMatchObject({ state: 'approved', answer: { value: { nights: 2 } } });
  });

  it('fills in the form that a running call shows [ADR 0037]', async () => {
    const { tools, toolDetails, answers } = bookTool();
    const server = await keyedServer({
      script: [[{ call: 'book', input: { hotel: 'Ritz' } }], [{ text: 'Booked.' }]],
      tools,
      toolDetails,
    });
    const { id } = await askedBy(server, keys.ada);
    const show = await runApprovals(server, keys.ada, ['show', id]);
    expect(show.text).toContain('An approval needs values: use --edit.');
    const empty = await runApprovals(server, keys.ada, ['approve', id]);
    expect([empty.code, empty.complained.join('\n')]).toEqual([1, expect.stringContaining('nights')]);
    const env = { EDITOR: editorThat('echo \'{"nights":2}\' > "$1"') };
    expect((await runApprovals(server, keys.ada, ['approve', id, '--edit'], { env })).code).toBe(0);
    await expect.poll(() => answers).toMatchObject([{ action: 'accept', content: { nights: 2 } }]);
  });

  it.each([
    ['does not fit the schema', 'echo \'{"to":"Alice","amount":"many"}\' > "$1"', '/amount'],
    ['is not JSON', 'echo "{" > "$1"', 'not valid JSON'],
    ['was abandoned', 'exit 1', 'ended with status 1'],
  ])('answers nothing if the edit %s [H10]', async (_name, writes, message) => {
    const { server, id } = await asking();
    const env = { EDITOR: editorThat(writes) };
    const { code, complained } = await runApprovals(server, keys.ada, ['approve', id, '--edit'], { env });
    expect([code, complained.join('\n')]).toEqual([1, expect.stringContaining(message)]);
    expect((await stateOf(server, id)).state).toBe('open');
  });

  it('asks for confirmation of a high risk on a terminal, and needs --yes elsewhere [H13]', async () => {
    const { server, id } = await asking({ risk: 'high' });
    await expect(runApprovals(server, keys.ada, ['approve', id])).rejects.toThrow(UsageError);
    const prompt = async () => 'y';
    const refused = await runApprovals(server, keys.ada, ['approve', id], { prompt });
    expect([refused.code, refused.complained]).toEqual([1, ['Not confirmed. Nothing was answered.']]);
    expect((await stateOf(server, id)).state).toBe('open');
    expect((await runApprovals(server, keys.ada, ['approve', id, '--yes'])).code).toBe(0);
  });

  it('says what to do when an answer needs a recent sign-in [H10]', async () => {
    const { server, id } = await asking({ stepUp: { maxAgeMs: 60_000 } });
    const { code, complained } = await runApprovals(server, keys.ada, ['approve', id]);
    expect([code, complained]).toEqual([
      6,
      [
        `Question ${id} needs a recent sign-in.`,
        'A key cannot sign in again. Open the question in the app, sign in there, and answer it there.',
      ],
    ]);
  });

  it('remembers an approval, unless the tool does not allow it [S14]', async () => {
    const { server, id } = await asking();
    expect((await runApprovals(server, keys.ada, ['approve', id, '--remember', 'me:tool'])).code).toBe(0);
    const { body } = await server.send(keys.ada, 'GET', '/remembered');
    expect(body.remembered).toMatchObject([{ scope: 'me', match: 'tool', toolName: 'pay' }]);
    const never = await asking({ remembered: false });
    const refused = await runApprovals(never.server, keys.ada, ['approve', never.id, '--remember', 'me']);
    expect(refused.code).toBe(6);
  });
});

describe('countersign approvals on the command line', () => {
  it('takes the key from the environment, prints no colours into a pipe, and ends with the exit code', async () => {
    const { server, id } = await asking({ risk: 'high' });
    const run = async (...args: string[]) => {
      const env = { NODE_ENV: 'test' as const, COUNTERSIGN_URL: server.url, COUNTERSIGN_KEY: keys.ada };
      const child = spawn(process.execPath, [program, 'approvals', ...args], { env });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      const [code] = await once(child, 'close');
      return { code, text };
    };
    const list = await run('list');
    expect([list.code, list.text]).toEqual([0, expect.stringContaining(id)]);
    expect(list.text).not.toContain('\u001b');
    expect((await run('approve', id)).code).toBe(2);
    expect((await run('show', 'apr_none')).code).toBe(3);
  });

  it('colours only on a terminal, and never with NO_COLOR', async () => {
    const { server } = await asking({ risk: 'high' });
    const onTerminal = await runApprovals(server, keys.ada, ['list'], { isTerminal: true });
    expect(onTerminal.text).toContain('\u001b[31m');
    const plain = await runApprovals(server, keys.ada, ['list'], {
      isTerminal: true,
      env: { NO_COLOR: '1' },
    });
    expect(plain.text).not.toContain('\u001b');
  });

  it.each<[string, string[], string]>([
    ['no action', [], 'Give one of: list, show, approve, deny, watch.'],
    ['an unknown action', ['erase'], 'Give one of:'],
    ['no id', ['show'], 'Give the id of one question'],
    ['an id for a list', ['list', 'apr_1'], 'list takes no id.'],
    ['an option of another action', ['deny', 'apr_1', '--edit'], 'deny takes no --edit.'],
    ['an unknown option', ['list', '--all'], "'--all'"],
    ['another scope', ['approve', 'apr_1', '--remember', 'all'], '--remember is'],
    ['no server', ['list', '--url', ''], 'Give the address of the app'],
    ['a path in the place of an address', ['list', '--url', '/api'], 'is not an address'],
    ['a password in the address', ['list', '--url', 'https://a:b@example.com'], 'no user'],
    ['no key', ['list', '--key', ''], 'COUNTERSIGN_KEY'],
    ['a key with a line break', ['list', '--key', 'a\nx-admin: 1'], 'visible ASCII'],
  ])('refuses %s', async (_name, args, message) => {
    const server = { url: 'http://127.0.0.1:1' };
    await expect(runApprovals(server, keys.ada, args)).rejects.toThrow(message);
    expect(fakeTerminal().printed).toEqual([]);
  });
});
