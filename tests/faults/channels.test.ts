import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askToPay, paidAmounts, type Receivers, receivers } from '../support/channels/receivers.ts';
import { type Way, waysToAnswer } from '../support/channels/ways-to-answer.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { countsOf } from './support/counts.ts';

const count = countsOf('Channels', 'processes killed', 'copies');
const childPath = fileURLToPath(new URL('./support/app-child.ts', import.meta.url));
/** The lease of a killed process ends after ten seconds. */
const patience = { timeout: 40_000, interval: 50 };

/** The app in processes that share one database, one after the other. */
async function appProcesses(environment: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-channels-'));
  let child: ChildProcess | undefined;
  const exit = async () => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  onTestFinished(async () => {
    child?.kill('SIGKILL');
    await exit();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    async start(): Promise<string> {
      const started = fork(childPath, {
        execArgv: ['--conditions=countersign-source'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: { PATH: process.env.PATH, NODE_ENV: 'test', ...environment, COUNTERSIGN_DATA: folder },
      });
      child = started;
      const exited = once(started, 'exit').then(() => {
        throw new Error('The app ended before it was ready.');
      });
      exited.catch(() => {});
      const [{ url }] = (await Promise.race([once(started, 'message'), exited])) as [{ url: string }];
      return url;
    },
    kill: () => child?.kill('SIGKILL'),
    exited: exit,
  };
}

type Point = {
  readonly point: string;
  /** Calls back once at this point. Absent: as soon as the answer is confirmed. */
  readonly arrange?: (places: Receivers, reached: () => void) => void;
  /** Whether it comes after the answer. */
  readonly late: boolean;
  /** From where the question is answered. */
  readonly way: Way;
};
type Arrange = NonNullable<Point['arrange']>;

const onMethod =
  (method: string): Arrange =>
  ({ slack }, reached) =>
    slack.onEffect((call) => {
      if (call.method === method) reached();
    });
const onNth =
  (nth: number, listen: (places: Receivers, callback: () => void) => void): Arrange =>
  (places, reached) => {
    let passed = 0;
    listen(places, () => {
      passed += 1;
      if (passed === nth) reached();
    });
  };
const mails = ({ inbox }: Receivers, callback: () => void) => inbox.onAccepted(callback);
const hooks = ({ onHook }: Receivers, callback: () => void) => onHook(callback);

const confirmed = { point: 'the answer is confirmed', late: true } as const;
const points: readonly Point[] = [
  {
    point: 'Slack has searched its history',
    arrange: onMethod('conversations.history'),
    late: false,
    way: 'http',
  },
  { point: 'Slack has posted the message', arrange: onMethod('chat.postMessage'), late: false, way: 'slack' },
  { point: 'the mail server has accepted the message', arrange: onNth(1, mails), late: false, way: 'link' },
  { point: 'the webhook has received the event', arrange: onNth(1, hooks), late: false, way: 'command line' },
  { point: 'Slack has changed the message', arrange: onMethod('chat.update'), late: true, way: 'slack' },
  { point: 'the mail server has accepted the outcome', arrange: onNth(2, mails), late: true, way: 'link' },
  {
    point: 'the webhook has received the outcome',
    arrange: onNth(2, hooks),
    late: true,
    way: 'command line',
  },
  { ...confirmed, way: 'http' },
  { ...confirmed, way: 'link' },
  { ...confirmed, way: 'command line' },
];

/** Every point on SQLite, and one before and one after the answer on Postgres. */
const onPostgres = ['the webhook has received the event', 'Slack has changed the message'];
const rows = [
  ...points.map((point) => ({ ...point, store: 'SQLite' })),
  ...points
    .filter(({ point }) => onPostgres.includes(point))
    .map((point) => ({ ...point, store: 'Postgres' })),
];
const postgres = setUpPostgres();

/** What tells the app to use a new database of the server. */
async function newDatabase(): Promise<Readonly<Record<string, string>>> {
  return { DATABASE_URL: await postgres().newDatabase() };
}

describe('the app that is killed with SIGKILL', () => {
  it.each(rowsOfThisRun(rows, ({ point }) => point === 'Slack has posted the message'))(
    'when $point, answered by $way, on $store: every place has the question once, and then its outcome [0051.2, 0051.11, 0043.7]',
    async ({ arrange, late, way, store }) => {
      const everywhere = await receivers();
      const { places } = everywhere;
      const database = store === 'Postgres' ? await newDatabase() : {};
      const app = await appProcesses({ ...everywhere.environment, ...database });
      const reached = Promise.withResolvers<void>();
      let isKilled = false;
      const kill = () => {
        if (isKilled) return;
        isKilled = true;
        app.kill();
        reached.resolve();
      };
      arrange?.(everywhere, kill);
      let url = await app.start();
      everywhere.connectSlack(() => url);
      const restart = async () => {
        await reached.promise;
        await app.exited();
        count('processes killed');
        url = await app.start();
      };

      const id = await askToPay(url, 31);
      if (!late) await restart();
      await expect
        .poll(() => {
          const { messages, mails: sent, events } = places(id, 31);
          return [messages.length, sent.length, events];
        }, patience)
        .toEqual([1, 1, ['question.opened']]);
      const answered = waysToAnswer(everywhere, () => url)[way](id, 31);
      // The app may be killed before its response arrives.
      await (arrange ? answered.catch(() => {}) : answered.then(kill));
      if (late) await restart();
      await expect
        .poll(() => {
          const { messages, mails: sent, events } = places(id, 31);
          return [messages.map(({ text }) => text.slice(0, 14)), sent.length, events];
        }, patience)
        .toEqual([['Approved by ci'], 2, ['question.opened', 'question.settled']]);
      const { copies } = places(id, 31);
      count('copies', copies.mails - 2 + copies.events - 2);
      // A second question, after the crash.
      const next = await askToPay(url, 32);
      await expect.poll(() => places(next, 32).messages.length, patience).toBe(1);
      await expect.poll(async () => await paidAmounts(url), patience).toEqual([31]);
    },
  );
});
