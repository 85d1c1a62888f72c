import type { UIMessageChunk } from 'ai';
import { sqliteStore } from 'countersign/store';
import {
  collect,
  fakeClock,
  interceptedStore,
  type ScriptedPart,
  type ScriptedStep,
} from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { ApprovalFlow } from '../../../lib/flow/index.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, lasting, questionIn, types, userMessage } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
/** Long enough to be made durable by itself. */
const long = (letter: string): ScriptedPart => ({ text: [letter.repeat(2_100), letter.repeat(2_100)] });
const script: ScriptedStep[] = [
  [long('a'), { reasoning: 'Hm.' }, { call: 'weather', input: { city: 'Tokyo' } }, pay(1), pay(2)],
  [{ source: { url: 'https://example.org' } }, long('b'), { call: 'theme' }],
  [long('c')],
];

/** A store whose nth append is held; `held` settles when it is reached. */
function holdingStore(place: number) {
  let count = 0;
  const { promise: held, resolve: reach } = Promise.withResolvers<void>();
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  const store = interceptedStore(sqliteStore({ path: ':memory:' }), async () => {
    count += 1;
    if (count - 1 !== place) return;
    reach();
    await open;
  });
  return { store, held, release, appends: () => count };
}

type Chat = ReturnType<ReturnType<typeof flowFixture>['chat']>;

/** The whole turn: yes to the first payment, no to the second, the client's theme. */
async function playTurn({ say, answer, output }: Chat): Promise<void> {
  const second = await answer(questionIn(await say('Go.')), true);
  const handed = await answer(questionIn(second), false, { reason: 'Enough.' });
  const call = handed.findLast((chunk) => chunk.type === 'tool-input-available');
  await output(call?.type === 'tool-input-available' ? call.toolCallId : '', 'dark');
}

async function countAppends(release: 'final' | 'progressive'): Promise<number> {
  const { store, appends } = holdingStore(-1);
  await playTurn(flowFixture(script, { store, release }).chat());
  return appends();
}

const places = async (release: 'final' | 'progressive') =>
  Array.from({ length: await countAppends(release) }, (_, place) => [release, place] as const);

describe('resuming at every moment [H2]', async () => {
  it.each([...(await places('final')), ...(await places('progressive'))])(
    '%s release, before append %i: a reader that reconnects has the same message [H2, H4]',
    async (release, place) => {
      const { store, held, release: goOn } = holdingStore(place);
      const { flow, chat } = flowFixture(script, { store, release });
      const talk = chat();
      const turn = playTurn(talk);
      await held;

      const resume = () => flow.chats.resume({ chatId: talk.id, principal: ada });
      const left = await resume();
      const leaver = left && uiMessageChunks(left).getReader();
      await leaver?.read();
      await leaver?.cancel();
      const stream = await resume();
      const returned = stream && collect(uiMessageChunks(stream));
      goOn();
      const chunks = await returned;
      if (chunks) {
        const end = chunks.at(-1)?.type;
        expect(end).toBe('finish');
        expect(lasting(chunks).filter(({ type }) => type === 'start')).toHaveLength(1);
      }
      await turn;
      const replay = (await talk.resume()) ?? [];
      const stored = plain((await talk.view()).messages.at(-1));
      expect(await messageOf(replay)).toEqual(stored);
      if (chunks) expectPrefix(lasting(chunks), lasting(replay));
      await flow.close();
    },
  );

  /** What a reader got is how the whole replay begins: its end apart, and deltas joined. */
  function expectPrefix(chunks: readonly UIMessageChunk[], whole: readonly UIMessageChunk[]): void {
    const body = joined(chunks.slice(0, -2));
    expect(body).toEqual(joined(whole).slice(0, body.length));
  }

  function joined(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
    const result: UIMessageChunk[] = [];
    for (const chunk of chunks) {
      const last = result.at(-1);
      if (chunk.type === 'text-delta' && last?.type === 'text-delta' && last.id === chunk.id) {
        result[result.length - 1] = { ...last, delta: last.delta + chunk.delta };
      } else result.push(chunk);
    }
    return result;
  }

  it.each(['final', 'progressive'] as const)(
    '%s release: a reader that disconnects after any chunk gets the same bytes again [H2]',
    async (release) => {
      const { flow, chat } = flowFixture(script, { release });
      const talk = chat();
      await playTurn(talk);
      const whole = (await talk.resume()) ?? [];
      const message = JSON.stringify(await messageOf(whole));
      for (let count = 0; count < whole.length; count += 1) {
        const stream = await flow.chats.resume({ chatId: talk.id, principal: ada });
        if (!stream) throw new Error('There is nothing to resume.');
        const reader = uiMessageChunks(stream).getReader();
        for (let index = 0; index < count; index += 1)
          expect((await reader.read()).value).toEqual(whole[index]);
        await reader.cancel();
      }
      expect(JSON.stringify(await messageOf((await talk.resume()) ?? []))).toBe(message);
      expect(JSON.stringify(await messageOf((await talk.resume()) ?? []))).toBe(message);
    },
  );

  it('a replay ends at the open question, with drafts sent again from the start [H2, T1]', async () => {
    const { say, resume } = flowFixture([[{ text: ['May', ' I?'] }, pay(1)]]);
    const first = await say('Go.');
    const again = (await resume()) ?? [];
    expect(lasting(again)).toEqual(lasting(first));
    const draft = (chunks: readonly UIMessageChunk[]) =>
      chunks.flatMap((chunk) =>
        chunk.type === 'data-draft' ? [(chunk.data as { delta: string }).delta] : [],
      );
    expect(draft(again).join('')).toBe('May I?');
  });
});

describe('when a response can be resumed [H2]', () => {
  it.each<[string, ScriptedStep, 'idle' | 'failed']>([
    ['completed', [{ text: 'Hello.' }], 'idle'],
    ['failed', [], 'failed'],
  ])('for 60 s after a turn %s [H2]', async (_how, step, status) => {
    const clock = fakeClock();
    const { say, resume, view } = flowFixture([step], { clock, logger: { warn: () => {}, error: () => {} } });
    await say('Hi.');
    expect((await view()).run.status).toBe(status);
    clock.advance(60_000);
    expect(await resume()).not.toBeNull();
    clock.advance(1);
    expect(await resume()).toBeNull();
    expect((await view()).messages).toHaveLength(2);
  });

  it.each<[string, ScriptedPart]>([
    ['a question is open', pay(1)],
    ['a call is handed to the client', { call: 'theme' }],
  ])('as long as %s [H2]', async (_what, part) => {
    const clock = fakeClock();
    const { say, resume } = flowFixture([[part]], { clock });
    const first = await say('Go.');
    clock.advance(24 * 60 * 60 * 1_000);
    expect(lasting((await resume()) ?? [])).toEqual(lasting(first));
  });

  it('never for a chat that does not exist [H2]', async () => {
    expect(await flowFixture([]).chat('nowhere').resume()).toBeNull();
  });
});

describe('readers and runs [H4, H5]', () => {
  it('disconnecting every reader does not stop the run [H5]', async () => {
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    const { flow, ran, ask, id, view } = flowFixture([
      [{ call: 'weather', input: { city: 'Tokyo' } }],
      [{ wait: open }, { text: 'Sunny.' }],
    ]);
    const stream = await ask({ message: userMessage('user-1', 'Weather?') });
    const resumed = await flow.chats.resume({ chatId: id, principal: ada });
    await uiMessageChunks(stream).cancel('gone');
    if (resumed) await uiMessageChunks(resumed).cancel('gone');
    release();
    await expect.poll(async () => (await view()).run.status).toBe('idle');
    expect(ran).toHaveLength(1);
    expect((await view()).messages[1]?.parts).toContainEqual(expect.objectContaining({ text: 'Sunny.' }));
  });

  it('the chat shows the draft while its text is withheld, and never both [H4]', async () => {
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    const clock = fakeClock();
    const { say, answer, view } = flowFixture(
      [
        [{ text: 'May I?' }, pay(1)],
        [{ text: 'Paid ' }, { wait: open }, { text: 'at last.' }],
      ],
      { clock },
    );
    const id = questionIn(await say('Go.'));
    const texts = async () =>
      (await view()).messages.at(-1)?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect((await view()).draft).toBe('May I?');
    expect(await texts()).toEqual([]);
    const final = answer(id, true);
    await expect
      .poll(async () => {
        clock.advance(20);
        return (await view()).draft;
      })
      .toBe('May I?\n\nPaid ');
    expect(await texts()).toEqual([]);
    expect((await view()).run.status).toBe('active');
    release();
    expect(types(await final)).toContain('text-start');
    expect(await texts()).toEqual(['May I?', 'Paid ', 'at last.']);
    expect((await view()).draft).toBeUndefined();
  });

  it('a chat has a title, an open question and a status [H4]', async () => {
    const { flow, say, answer, view, id } = flowFixture([[pay(1)], [{ text: 'Done.' }]]);
    const first = await say('  Pay\n Alice  ');
    expect(await view()).toMatchObject({
      id,
      title: 'Pay Alice',
      run: { status: 'waiting' },
      open: questionIn(first),
    });
    expect((await flow.chats.list({ principal: ada })).items).toMatchObject([{ id, openCount: 1 }]);
    await flow.chats.rename({ chatId: id, principal: ada, title: 'Payments' });
    await answer(questionIn(first), true);
    expect(await view()).toMatchObject({ title: 'Payments', run: { status: 'idle' } });
    expect((await view()).open).toBeUndefined();
  });

  it.each<
    [string, (flow: ApprovalFlow, request: Parameters<ApprovalFlow['chats']['read']>[0]) => Promise<unknown>]
  >([
    ['chat', (flow, request) => flow.chats.read(request)],
    ['timeline', (flow, request) => flow.chats.timeline(request)],
    ['audit', (flow, request) => flow.audit.read(request)],
  ])('a chat that is erased while its %s is read is missing, not empty [H4]', async (_, reads) => {
    const store = sqliteStore({ path: ':memory:' });
    const { flow, say, id } = flowFixture([[pay(1)]], { store });
    await say('Go.');
    const request = { chatId: id, principal: ada };
    const read: typeof store.events.read = async (...query) => {
      await flow.chats.erase(request);
      return store.events.read(...query);
    };
    // The instance that asked has the turn in memory; this one has to read it.
    const other = flowFixture([], { store: { ...store, events: { ...store.events, read } } }).flow;
    await expect(reads(other, request)).rejects.toMatchObject({ code: 'not-found' });
  });
});
