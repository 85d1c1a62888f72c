import { isToolUIPart, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FlowEvent, parseToolCallId } from '../../lib/protocol/index.ts';
import { barrier } from '../support/barrier.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { ada, leaseMs } from './fixture-flow.ts';
import { twoVersions } from './support/two-versions.ts';

const postgres = setUpPostgres();

type View = Awaited<ReturnType<Awaited<ReturnType<typeof twoVersions>>['today']['flow']['chats']['read']>>;

function callsOf({ messages }: View) {
  const calls = messages.at(-1)?.parts.filter(isToolUIPart) ?? [];
  return calls.map(({ toolCallId, state }) => [toolCallId, state]);
}

const lastPart = ({ messages }: View) => messages.at(-1)?.parts.at(-1);
const done = { type: 'text', text: 'Done.' };

/** A tool that runs until it is aborted. */
function lingeringTool() {
  const started = barrier();
  const aborted = barrier();
  const linger = tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: async (_, { abortSignal }): Promise<string> => {
      abortSignal?.addEventListener('abort', aborted.lift, { once: true });
      started.lift();
      await aborted.wait;
      throw new Error('Aborted.');
    },
  });
  return { linger, started: started.wait, aborted: aborted.wait };
}

describe('an instance of the previous version beside one of this version', () => {
  it.for(['before', 'today'] as const)(
    'a question asked by the instance "%s" is answered on the other one, and its call runs there once',
    async (asking) => {
      const { before, today } = await twoVersions(postgres());
      const [here, there] = asking === 'before' ? [before, today] : [today, before];
      await here.chat('new').say('pay {"to":"alice","amount":30}; pay {"to":"bob","amount":40}');
      await there.chat('new').answer(true);
      expect([here.ran, there.ran]).toEqual([[], ['pay:call-1-0']]);
      // The next question is answered on the instance that asked the first one.
      await here.chat('new').answer(true);
      expect([here.ran, there.ran]).toEqual([['pay:call-1-1'], ['pay:call-1-0']]);
      for (const { chat } of [here, there]) {
        const view = await chat('new').rests();
        expect(view.run.status).toBe('idle');
        expect(callsOf(view)).toEqual([
          ['call-1-0', 'output-available'],
          ['call-1-1', 'output-available'],
        ]);
        expect(lastPart(view)).toMatchObject(done);
      }
    },
  );

  it('concurrent answers to an old question on both count once', async () => {
    const { before, today } = await twoVersions(postgres());
    await Promise.allSettled([before.chat('open').answer(true), today.chat('open').answer(false)]);
    const { open, run } = await today.chat('open').rests();
    expect([open, run.status]).toEqual([undefined, 'idle']);
    const answers = (await today.store.events.read(today.chat('open').chatId, 0)).filter(
      ({ type }) => type === 'approval-answered',
    );
    expect(answers).toHaveLength(1);
    const isApproved = answers.some((event) => event.type === 'approval-answered' && event.approved);
    expect([...before.ran, ...today.ran]).toEqual(isApproved ? ['pay:call-1-0'] : []);
  });

  it.for(['before', 'today'] as const)(
    'a stop on one instance ends the run that the instance "%s" executes',
    async (running) => {
      const { linger, started, aborted } = lingeringTool();
      const { before, today } = await twoVersions(postgres(), { more: { linger } });
      const [here, there] = running === 'before' ? [before, today] : [today, before];
      await here.chat('slow').say('linger {}');
      const answered = here.chat('slow').answer(true);
      await started;
      await there.chat('slow').stop();
      await aborted;
      await answered;
      const view = await there.chat('slow').rests();
      expect(view.run.status).toBe('idle');
      expect(callsOf(view)).toEqual([['call-1-0', 'output-error']]);
      expect([here.model.calls.length, there.model.calls.length]).toEqual([1, 0]);
    },
  );

  it.for([
    ['before', 'pay', 'output-error', []],
    ['today', 'pay', 'output-error', []],
    ['before', 'charge', 'output-available', ['charge:call-2-0']],
    ['today', 'charge', 'output-available', ['charge:call-2-0']],
  ] as const)(
    'when the instance "%s" dies in a call of %s, the other one continues by its own rules',
    async ([dead, name, state, runs]) => {
      const dies = { [dead]: { when: 'after', event: 'tool-started', chatId: 'new' } as const };
      const { before, today, clock } = await twoVersions(postgres(), { dies });
      const [here, there] = dead === 'before' ? [before, today] : [today, before];
      // Its second message, so the call has an id that no other chat's call has.
      await here.chat('new').say('Hello.');
      await here.chat('new').say(`${name} {"to":"alice","amount":30}`);
      void here.chat('new').answer(true);
      await here.died;
      clock.advance(leaseMs);
      await there.flow.recover();
      const view = await there.chat('new').rests();
      expect(callsOf(view)).toEqual([['call-2-0', state]]);
      expect(lastPart(view)).toMatchObject(done);
      expect(here.ran).toEqual([]);
      expect(there.ran.filter((call) => call.endsWith('call-2-0'))).toEqual(runs);
    },
  );

  it('ignores what only this version writes: the chat is shown, and continues, on both', async () => {
    const { before, today } = await twoVersions(postgres());
    const { chatId } = today.chat('unknown');
    const head = await today.store.chats.head(chatId);
    if (!head) throw new Error('The chat is not there.');
    const { seq: after, updatedAt: at } = head;
    const seq = after + 1;
    const resolved = {
      ...{ type: 'outcome-resolved', toolCallId: parseToolCallId('call-1-0'), source: 'person', by: ada },
      ...{ outcome: 'completed', output: 'Paid.', modelOutput: { type: 'text', value: 'Paid.' }, seq, at },
    } as const satisfies FlowEvent;
    const written = {
      chatId,
      after,
      events: [resolved],
      head: { ...head, seq },
      questions: [],
      owner: 'today',
    };
    expect(await today.store.append(written)).toBe('appended');

    expect((await before.chat('unknown').view()).messages).toHaveLength(2);
    await before.chat('unknown').say('And now?');
    await today.chat('unknown').say('And then?');
    for (const { chat } of [before, today]) {
      const view = await chat('unknown').rests();
      expect(view.messages).toHaveLength(6);
      expect(lastPart(view)).toMatchObject({ text: 'You said: And then?' });
    }
  });
});
