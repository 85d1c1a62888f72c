import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flowFixture, questionIn } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { waitFor } from '../support/wait-for.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';

const count = countsOf('Subscriptions', 'processes killed', 'events delivered', 'repeats');
const postgres = setUpPostgres();
const childPath = fileURLToPath(new URL('./support/notify-child.ts', import.meta.url));

type Line = { readonly id: string; readonly type: string; readonly subject: string; readonly by: string };

const script: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool' ? [{ text: 'Done.' }] : [{ call: 'pay', input: { to: 'alice', amount: 1 } }];

/** A database with an instance that asks and answers in this process. Others, in processes of their own, deliver. */
async function setUp(create: (typeof rows)[number]['create']) {
  const database = await create();
  const path = join(database.folder, 'delivered');
  const { chat, flow } = flowFixture(script, {
    store: database.open(),
    logger: { warn: () => {}, error: () => {} },
  });
  const children: ChildProcess[] = [];
  const exits: Promise<unknown>[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    // A process that still writes would keep the folder from being removed.
    await Promise.all(exits);
    await flow.close();
    await database.remove();
  });
  let asked = 0;
  return {
    async start(more: Readonly<Record<string, string>> = {}) {
      const env = { ...process.env, ...database.address, FAULTS_DELIVERED: path, ...more };
      const child = fork(childPath, { execArgv: ['--conditions=countersign-source'], env });
      children.push(child);
      const exit = once(child, 'exit');
      exits.push(exit);
      const exited = exit.then(() => {
        throw new Error('The process ended before it was ready.');
      });
      exited.catch(() => {});
      await Promise.race([once(child, 'message'), exited]);
      return child;
    },
    async ask() {
      asked += 1;
      const here = chat(`chat-${asked}`);
      const id = questionIn(await here.say('Pay.'));
      return { id, answer: () => here.answer(id, true) };
    },
    lines(): readonly Line[] {
      if (!existsSync(path)) return [];
      return readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}

const rows = storeRows(postgres).map(([store, create]) => ({ store, create }));

/** Each event once, in the order of its first copy. */
const withoutRepeats = (lines: readonly Line[]) =>
  [...new Map(lines.toReversed().map((line) => [line.id, line])).values()].reverse();
const typesOf = (lines: readonly Line[], question: string) =>
  withoutRepeats(lines)
    .filter(({ subject }) => subject === question)
    .map(({ type }) => type);

describe('an instance that is killed with SIGKILL while it delivers', () => {
  const places = ['delivery.1', 'delivery.4', 'before.1', 'before.2', 'after.1', 'after.2'];
  const cases = rows.flatMap((row) => places.map((kill) => ({ ...row, kill })));

  it.each(
    rowsOfThisRun(cases, ({ store, kill }) =>
      store === 'SQLite' ? kill !== 'after.2' : kill === 'delivery.4',
    ),
  )(
    '$store, at $kill: loses nothing, and the next one repeats with the same ids, in order [0043.7]',
    async ({ create, kill }) => {
      const { start, ask, lines } = await setUp(create);
      const questions = [await ask(), await ask(), await ask()];
      const [first] = questions;
      await first?.answer();
      const dying = await start({ FAULTS_NAME: 'first', FAULTS_KILL: kill, FAULTS_LEASE: '500' });
      const exited = once(dying, 'exit');
      await waitFor(() => expect(lines().length).toBeGreaterThan(0));
      for (const { answer } of questions.slice(1)) await answer();
      questions.push(await ask());
      expect(await exited).toEqual([null, 'SIGKILL']);
      count('processes killed');
      const last = await ask();

      await start({ FAULTS_NAME: 'second' });
      await waitFor(() => expect(typesOf(lines(), last.id)).toEqual(['question.opened']));
      await waitFor(() => {
        // The first was answered before the subscription began.
        for (const { id } of questions.slice(1, 3))
          expect(typesOf(lines(), id)).toEqual(['question.opened', 'question.settled']);
        const ended = withoutRepeats(lines()).filter(({ type }) => type === 'turn.ended');
        expect(ended.map(({ subject }) => subject).toSorted()).toEqual(['chat-2', 'chat-3']);
      });
      const all = lines();
      const single = withoutRepeats(all);
      count('events delivered', single.length);
      count('repeats', all.length - single.length);
      // Copies of an event have one id, and an id has one event.
      const contents = new Set(
        all.map(({ type, subject }) => `${type} ${subject}`).filter((text) => text.startsWith('question')),
      );
      expect(single.filter(({ type }) => type.startsWith('question'))).toHaveLength(contents.size);
    },
  );
});

describe('several instances with one subscriber', () => {
  it.each(rows)(
    '$store: deliver one copy of each event, while they come and go [0043.7]',
    async ({ create }) => {
      const { start, ask, lines } = await setUp(create);
      const first = await start({ FAULTS_NAME: 'a' });
      await start({ FAULTS_NAME: 'b' });
      const asked: Awaited<ReturnType<typeof ask>>[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const question = await ask();
        asked.push(question);
        if (turn % 2 === 0) await question.answer();
        if (turn !== 3) continue;
        const exited = once(first, 'exit');
        first.kill('SIGTERM');
        await exited;
        await start({ FAULTS_NAME: 'c' });
      }
      const last = await ask();
      await waitFor(() => {
        const all = lines();
        expect(typesOf(all, last.id)).toEqual(['question.opened']);
        for (const { id } of asked) expect(typesOf(all, id)).toContain('question.opened');
        expect(all.filter(({ type }) => type === 'question.settled')).toHaveLength(4);
        expect(all.filter(({ type }) => type === 'turn.ended')).toHaveLength(4);
      });
      const all = lines();
      expect(all).toHaveLength(withoutRepeats(all).length);
      count('events delivered', all.length);
    },
  );

  it.each(rowsOfThisRun(rows, ({ store }) => store === 'Postgres'))(
    '$store: a question whose delivery fails on one of them holds up no other [0043.4]',
    async ({ create }) => {
      const { start, ask, lines } = await setUp(create);
      const failing = await ask();
      await start({ FAULTS_NAME: 'a', FAULTS_FAILS: failing.id, FAULTS_LEASE: '1000' });
      await start({ FAULTS_NAME: 'b', FAULTS_FAILS: failing.id, FAULTS_LEASE: '1000' });
      await failing.answer();
      const other = await ask();
      await other.answer();
      await waitFor(() =>
        expect(typesOf(lines(), other.id)).toEqual(['question.opened', 'question.settled']),
      );
      expect(typesOf(lines(), failing.id)).toEqual([]);
    },
  );
});
