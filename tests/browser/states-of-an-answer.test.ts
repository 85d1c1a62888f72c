// depends on: app/chats lib/react/chat lib/client/chat lib/client/transport lib/sse lib/bidi lib/react/card lib/client/sheet lib/commands/answer
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { rowsOfThisRun } from '../support/matrix.ts';
import { type BreakableLine, layLine } from './support/breakable-line.ts';
import { it as browserTest } from './support/browser-test.ts';
import { eventually, modes, type Person, personAt } from './support/person.ts';
import { recordSaid, type Said } from './support/said.ts';
import { type ServedApp, serveApp } from './support/serve-app.ts';
import { serverOf } from './support/server-view.ts';

/** Chromium's console messages for a failed connection, and for an answer that came second. */
const expected = /net::ERR_|WebSocket connection to .* failed|409 \(Conflict\)/;

/** A server that can be killed, at the end of a line that can be cut. */
type World = { readonly app: ServedApp; readonly line: BreakableLine; url: string };

const it = browserTest
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first parameter
  .extend('world', { scope: 'file' }, async ({}, { onCleanup }): Promise<World> => {
    const app = await serveApp();
    const line = await layLine(app.url);
    onCleanup(async () => {
      await line.close();
      await app.stop();
    });
    return { app, line, url: app.url };
  });

const answerSchema = z.object({ approved: z.boolean(), at: z.string() });
const logSchema = z.object({
  spans: z.array(
    z.object({
      kind: z.string(),
      startedAt: z.string(),
      endedAt: z.string().optional(),
      answer: answerSchema.optional(),
    }),
  ),
});

/** The answer and the call of a chat with one question, from its log. Epoch milliseconds. */
async function logOf({ url }: World, { page, chatId }: Person) {
  const response = await page.request.get(new URL(`/api/chat/${await chatId()}/timeline`, url).href);
  const { spans } = logSchema.parse(await response.json());
  const answer = spans.find(({ kind }) => kind === 'waiting')?.answer;
  const call = spans.find(({ kind }) => kind === 'tool');
  const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return {
    isApproved: answer?.approved,
    answeredAt: time(answer?.at),
    startedAt: time(call?.startedAt),
    endedAt: time(call?.endedAt),
  };
}

/** Everything that a page said and the log did not have at that moment. */
function untrue(said: readonly Said[], log: Awaited<ReturnType<typeof logOf>>): readonly string[] {
  const had = (moment: number | undefined, at: number) => moment !== undefined && moment <= at;
  return said.flatMap(({ at, calls, isSealed, text }) => {
    const isAnswered = had(log.answeredAt, at);
    const faults = [
      isSealed && !(isAnswered && log.isApproved) && 'a seal',
      /Approved/.test(text) && !(isAnswered && log.isApproved) && '“Approved”',
      /Denied/.test(text) && !(isAnswered && log.isApproved === false) && '“Denied”',
      /Not received|not sent/.test(text) && isAnswered && '“Not received”',
      calls.includes('running') && !had(log.startedAt, at) && 'running',
      calls.some((state) => state === 'done' || state === 'withheld') && !had(log.endedAt, at) && 'done',
    ];
    return faults.flatMap((fault) => (fault ? [`${fault} at ${at}: ${text}`] : []));
  });
}

const states = ['asking', 'sending', 'unconfirmed', 'received'] as const;
const events = ['restart', 'offline', 'elsewhere', 'tab'] as const;
type State = (typeof states)[number];
type Event = (typeof events)[number];

/** Brings the answer of a page to a state. */
async function reach(state: State, person: Person, world: World): Promise<void> {
  const { line } = world;
  if (state === 'asking') return;
  await person.mayAnswer();
  if (state === 'sending') line.hold('requests');
  if (state === 'unconfirmed') line.hold('replies');
  await person.approve();
  if (state === 'received') return person.page.getByText('Approved by you').waitFor();
  await person.page.getByText('Sending your answer').waitFor();
  if (state === 'unconfirmed') {
    await eventually(async () => (await logOf(world, person)).answeredAt).toBeDefined();
  }
}

const isBack = (person: Person) =>
  eventually(() => person.page.getByText('Not connected to the server.').count()).toBe(0);

/** Lets something happen, and the connection be there again. */
const happenings: Record<Event, (person: Person, world: World, other: Person, id: string) => Promise<void>> =
  {
    async restart(person, world) {
      world.line.cut();
      await world.app.kill();
      await person.page.getByText('Not connected to the server.').first().waitFor();
      world.url = await world.app.restart();
      world.line.mend(world.url);
      await isBack(person);
    },
    async offline(person, { line }) {
      await person.page.context().setOffline(true);
      line.cut();
      await person.page.getByText('Not connected to the server.').first().waitFor();
      line.mend();
      await person.page.context().setOffline(false);
      await isBack(person);
    },
    async elsewhere({ page }, world, _other, id) {
      await serverOf(page, world.url).answer(id, false);
      world.line.letGo();
    },
    async tab(person, world, other) {
      // Once there is an answer, the question leaves the other tab at any moment.
      const { answeredAt } = await logOf(world, person);
      if (answeredAt === undefined) await other.deny();
      world.line.letGo();
    },
  };

const rows = modes.flatMap(({ mode }) =>
  states.flatMap((state) => events.map((event) => ({ mode, state, event }))),
);
const inMain = new Set(['sending restart', 'unconfirmed offline']);

describe('what a page says about an answer is what the log has, at every moment', () => {
  it.for(rowsOfThisRun(rows, ({ mode, state, event }) => mode === 'SSE' && inMain.has(`${state} ${event}`)))(
    'over $mode, when it is $state and this happens: $event',
    async ({ mode, state, event }, { open, world }) => {
      world.line.mend(world.url);
      // What a row before held, if it failed.
      world.line.letGo();
      const person = await open({ url: world.line.url, expected });
      await person.choose(mode);
      await person.say('Pay Alice 30');
      await person.isAsked('Pay Alice 30 USD.');
      const chatId = await person.chatId();
      const [id = ''] = await serverOf(person.page, world.url).openQuestions();
      const other = personAt(await person.page.context().newPage());
      // Another tab, whose requests are not held.
      await other.page.goto(event === 'tab' ? `${world.url}/chats/${chatId}` : 'about:blank');
      if (event === 'tab') await other.isAsked('Pay Alice 30 USD.');
      const said = await recordSaid(person.page);
      const saidThere = await recordSaid(other.page);

      await reach(state, person, world);
      await happenings[event](person, world, other, id);

      // What the log does not have is asked again.
      const settled = /Approved|Denied/;
      const shown = async () => (await person.call('process_payment').allInnerTexts()).join();
      const isAsking = () => person.question.count();
      await eventually(async () => settled.test(await shown()) || (await isAsking()) > 0).toBe(true);
      if ((await logOf(world, person)).answeredAt === undefined) {
        await person.mayAnswer();
        await person.approve();
      }
      await eventually(shown).toMatch(settled);
      // Read again until nothing can follow: what a page says later has to be in it.
      const isOver = async () => {
        const { isApproved, endedAt } = await logOf(world, person);
        return isApproved === false || endedAt !== undefined;
      };
      await eventually(isOver).toBe(true);

      const log = await logOf(world, person);
      expect(untrue(await said(), log)).toEqual([]);
      expect(untrue(await saidThere(), log)).toEqual([]);
      expect(await shown()).toMatch(log.isApproved ? 'Approved by you' : 'Denied by you');
    },
  );
});
