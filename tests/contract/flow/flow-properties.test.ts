import { sqliteStore } from 'countersign/store';
import {
  collect,
  distantStore,
  interceptedStore,
  type ScriptedPart,
  type ScriptedStep,
} from 'countersign/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uiMessageChunks } from '../../../lib/flow/index.ts';
import { CountersignError, parseMessageId } from '../../../lib/protocol/index.ts';
import { checkAppended, checkLog } from '../../support/check-log.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';

/** What somebody does to the chat. `of` picks among what there is: questions, messages. */
type Deed =
  | { type: 'say'; withAnswer: boolean }
  | { type: 'say again' | 'edit'; of: number }
  | { type: 'answer' | 'answer in the inbox'; approved: boolean }
  | { type: 'answer late'; approved: boolean; of: number }
  | { type: 'output'; fits: boolean }
  | { type: 'stop' | 'regenerate' | 'resume' | 'look and leave' };

/** A deed, and how long others wait before the next: to its end, or a few turns of the event loop. */
type Act = { deed: Deed; turns: number | 'to its end' };

const part = fc.constantFrom<ScriptedPart>(
  { call: 'pay', input: { to: 'alice', amount: 1 } },
  { call: 'pay', input: { to: 'bob', amount: 2 }, id: 'repeated' },
  { call: 'search', input: { query: 'users' } },
  { call: 'weather', input: { city: 'Tokyo' } },
  { call: 'weather', rawInput: '{' },
  { call: 'theme' },
  { call: 'locate' },
);
const step: fc.Arbitrary<ScriptedStep> = fc
  .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 9 }))
  .map(([speaks, calls, end]) => [
    ...(speaks ? [{ text: 'Hm. ' }] : []),
    ...calls,
    ...(end === 0 ? [{ finish: 'length' as const }] : end === 1 ? [{ error: new Error('down') }] : []),
  ]);

const of = fc.nat(5);
const approved = fc.boolean();
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('say' as const), withAnswer: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('say again' as const, 'edit' as const), of }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constantFrom('answer' as const, 'answer in the inbox' as const),
      approved,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answer late' as const), approved, of }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('output' as const), fits: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'stop' as const,
        'regenerate' as const,
        'resume' as const,
        'look and leave' as const,
      ),
    }),
  },
);
const act: fc.Arbitrary<Act> = fc.record({
  deed,
  turns: fc.oneof(fc.constant('to its end' as const), fc.nat(60)),
});

const expected = new Set(['run-active', 'superseded', 'already-answered', 'invalid-request', 'not-found']);

/** Plays the acts on a fresh chat, and gives what is wrong afterwards. */
async function play(
  steps: readonly ScriptedStep[],
  acts: readonly Act[],
  delays: readonly number[],
): Promise<string[]> {
  const faults: string[] = [];
  const questions: string[] = [];
  const said: string[] = [];
  const embedded = interceptedStore(
    sqliteStore({ path: ':memory:' }),
    () => {},
    (append) => {
      faults.push(...checkAppended(append));
      for (const event of append.events) {
        if (event.type === 'approval-requested') questions.push(event.approvalId);
      }
    },
  );
  const store = distantStore(embedded, delays);
  const logger = { warn: () => {}, error: () => {} };
  const {
    flow,
    ran,
    model,
    id: chatId,
    ask,
    view,
    events,
    resume,
    answers,
  } = flowFixture((_options, number) => steps[number] ?? [{ text: 'Done.' }], {
    store,
    logger,
  });
  const read = async (stream: ReturnType<typeof ask>) => {
    await collect(uiMessageChunks(await stream));
  };
  const pick = (list: readonly string[], place: number) =>
    list[place % Math.max(1, list.length)] ?? 'nothing';

  async function perform(deed: Deed): Promise<void> {
    const open = questions.at(-1) ?? 'nothing';
    switch (deed.type) {
      case 'say': {
        said.push(`user-${said.length}`);
        const along = deed.withAnswer ? [{ approvalId: open as never, approved: true }] : [];
        return read(ask({ message: userMessage(said.at(-1) ?? '', 'Go.'), answers: along }));
      }
      case 'say again':
        return read(ask({ message: userMessage(pick(said, deed.of), 'Go.') }));
      case 'edit': {
        const id = pick(said, deed.of);
        return read(ask({ message: userMessage(id, 'Edited.'), messageId: parseMessageId(id) }));
      }
      case 'answer':
        return void (await answers([{ approvalId: open as never, approved: deed.approved }]));
      case 'answer late': {
        const approvalId = pick(questions, deed.of) as never;
        return void (await answers([{ approvalId, approved: deed.approved }]));
      }
      case 'answer in the inbox':
        await flow.answer({
          approvalId: open as never,
          principal: ada,
          approved: deed.approved,
          via: 'http',
        });
        return;
      case 'output': {
        const call = (await events()).findLast((event) => event.type === 'run-suspended');
        const toolCallId = (call?.type === 'run-suspended' ? call.toolCallId : 'nothing') as never;
        const asked = (await events()).find(
          (event) => event.type === 'tool-requested' && event.toolCallId === toolCallId,
        );
        const isTheme = asked?.type === 'tool-requested' && asked.toolName === 'theme';
        const output = deed.fits === isTheme ? 'dark' : { lat: 1 };
        return read(ask({ outputs: [{ toolCallId, output }] }));
      }
      case 'stop':
        return flow.stop({ chatId, principal: ada });
      case 'regenerate':
        return read(ask({ trigger: 'regenerate-message' }));
      case 'resume':
        return void (await resume());
      case 'look and leave': {
        const stream = await flow.resume({ chatId, principal: ada });
        const reader = stream && uiMessageChunks(stream).getReader();
        await reader?.read();
        return reader?.cancel();
      }
      default:
        return deed satisfies never;
    }
  }

  const under: Promise<void>[] = [];
  for (const { deed, turns } of acts) {
    const done = perform(deed).catch((error: unknown) => {
      if (error instanceof CountersignError && expected.has(error.code)) return;
      faults.push(`${deed.type} failed: ${error instanceof Error ? error.stack : String(error)}`);
    });
    under.push(done);
    if (turns === 'to its end') await done;
    else for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  }
  await Promise.all(under);
  // A run may go on without a reader.
  const whole = said.length > 0 ? await resume().catch(() => null) : null;
  const log = await events().catch(() => []);
  if (log.length === 0) return faults;

  faults.push(...checkLog(log));
  for (const { prompt } of model.calls) faults.push(...checkPrompt(prompt));
  const stored = await view();
  if (stored.run.status === 'active') faults.push('the chat is active at the end');
  if (whole) expect(await messageOf(whole)).toEqual(plain(stored.messages.at(-1)));

  const ids = ran.map(({ toolCallId }) => toolCallId);
  if (new Set(ids).size !== ids.length) faults.push(`ran twice: ${ids.join(', ')}`);
  const clientCalls = new Set(
    log.flatMap((event) =>
      event.type === 'tool-requested' && event.executor === 'client' ? [event.toolCallId] : [],
    ),
  );
  const granted = log.flatMap((event) =>
    event.type === 'approval-answered' && event.approved && !clientCalls.has(event.toolCallId)
      ? [event.toolCallId]
      : [],
  );
  // A stop that comes before the call has begun keeps it from running.
  const stopped = log.flatMap((event) => (event.type === 'tool-cancelled' ? [event.toolCallId] : []));
  for (const id of granted) {
    if (!ids.includes(id) && !stopped.includes(id)) faults.push(`${id} was approved, but never ran`);
  }
  for (const event of log) {
    const isBefore = event.type === 'tool-cancelled' && event.reason === 'Stopped before it ran.';
    if (isBefore && ids.includes(event.toolCallId)) faults.push(`${event.toolCallId} ran after its stop`);
  }
  const ended = log.filter((event) => /^tool-(completed|failed|denied|cancelled)$/.test(event.type)).length;
  const called = log.filter((event) => event.type === 'tool-requested').length;
  if (stored.run.status !== 'waiting' && ended !== called) faults.push(`${called} calls, ${ended} ends`);
  await flow.close();
  return faults;
}

it.each(rowsOfThisRun([70, 200], (numRuns) => numRuns === 70))(
  'keeps the log, the prompts and the effects sound, whatever people do at any time: %i chats [H5, H6, H7, H8, H10, T7, T8, T16]',
  async (numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.array(act, { minLength: 1, maxLength: 16 }),
        fc.array(fc.nat(15), { minLength: 1, maxLength: 7 }),
        async (steps, acts, delays) => {
          const begun: Act = { deed: { type: 'say', withAnswer: false }, turns: 'to its end' };
          expect(await play(steps, [begun, ...acts], delays)).toEqual([]);
        },
      ),
      { numRuns, endOnFailure: false },
    );
  },
  120_000,
);
