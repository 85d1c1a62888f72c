import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { type Subscriber, subscriptions } from 'countersign/plugins/subscriptions';
import { votes } from 'countersign/plugins/votes';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { CountersignError, parseToolCallId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { passTimeToPass } from '../../support/pass-time.ts';
import { recordingSubscriber } from '../../support/recording-subscriber.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A flow whose tool `crash` has an unknown outcome after a minute, with these subscribers. */
function reporting(subscribers: readonly Subscriber[], script: Script, more: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const warnings: string[] = [];
  const tools: ToolSet = {
    crash: tool({
      inputSchema: z.object({ to: z.string(), token: z.string().optional() }),
      execute: () => new Promise(() => {}),
    }),
  };
  const fixture = flowFixture(script, {
    clock,
    tools,
    toolDetails: {
      crash: {
        timeoutMs: 60_000,
        title: 'Crash',
        describe: ({ to }: { to: string }) => `Crash ${to}.`,
        secrets: { input: ['token'] },
      },
    } as FlowSettings['toolDetails'],
    logger: { warn: (message) => warnings.push(message), error: (message) => warnings.push(message) },
    plugins: [subscriptions({ subscribers }), votes()],
    ...more,
  });
  onTestFinished(() => fixture.flow.close());
  const until = (check: () => unknown) => passTimeToPass(clock, 3_000, check);
  return { ...fixture, clock, until, warnings };
}

describe('events of turns and calls', () => {
  it('a failed turn is reported, with its error only for those who may see the chat [0043.8]', async () => {
    const all = recordingSubscriber('all');
    const owner = recordingSubscriber('owner', { principal: ada });
    const { chat, until } = reporting(
      [all.subscriber, owner.subscriber],
      [[{ error: new Error('The model broke.') }]],
    );
    await chat().say('Go.');
    await until(() =>
      expect([...all.got, ...owner.got].map(({ type }) => type)).toEqual(['turn.failed', 'turn.failed']),
    );
    const data = { chatId: 'chat', runId: expect.any(String) };
    expect(all.got[0]?.data).toEqual(data);
    expect(owner.got[0]?.data).toEqual({ ...data, error: expect.any(String) });
  });

  it('an unknown outcome is reported, redacted, and its sentence only for those who may see the chat [0043.8]', async () => {
    const all = recordingSubscriber('all');
    const owner = recordingSubscriber('owner', { principal: ada });
    const script: Script = [
      [{ call: 'crash', id: 'call-1', input: { to: 'alice', token: 'tk-secret' } }],
      [{ text: 'Done.' }],
    ];
    const { chat, until } = reporting([all.subscriber, owner.subscriber], script);
    const said = chat().say('Go.');
    await until(() => expect(owner.names()).toEqual(['outcome.unknown chat', 'turn.ended chat']));
    await said;
    expect(all.names()).toEqual(owner.names());
    const data = { chatId: 'chat', toolCallId: 'call-1', toolName: 'crash', title: 'Crash' };
    expect(all.got[0]?.data).toEqual(data);
    expect(owner.got[0]?.data).toEqual({ ...data, description: 'Crash alice.' });
    expect(JSON.stringify([all.got, owner.got])).not.toContain('tk-secret');
  });

  it('a settled question is not reported again when the outcome of its call becomes known [0043.1]', async () => {
    const all = recordingSubscriber('all');
    const script: Script = ({ prompt }) =>
      prompt.at(-1)?.role === 'tool'
        ? [{ text: 'Done.' }]
        : [{ call: 'crash', id: `call-${prompt.length}`, input: { to: 'alice' } }];
    const { chat, flow, until } = reporting([all.subscriber], script, {
      toolApproval: { crash: 'user-approval' },
    });
    const here = chat();
    const answered = here.answer(questionIn(await here.say('Go.')), true);
    await until(() => expect(all.got.map(({ type }) => type)).toContain('turn.ended'));
    await answered;
    const unknown = all.got.flatMap(({ data }) => ('toolCallId' in data ? data.toolCallId : []));
    const toolCallId = parseToolCallId(unknown[0] ?? '');
    await flow.approvals.resolveOutcome({ chatId: here.id, principal: ada, toolCallId, outcome: 'failed' });
    await here.say('Go again.');
    await until(() => expect(all.got.at(-1)?.type).toBe('question.opened'));
    const types = all.tried.map(({ type }) => type);
    const ofQuestions = ['question.opened', 'question.settled', 'question.opened'];
    // Nothing orders the events of a question and those of its chat.
    expect(types.filter((type) => type.startsWith('question.'))).toEqual(ofQuestions);
    expect(types.filter((type) => !type.startsWith('question.'))).toEqual(['outcome.unknown', 'turn.ended']);
  });

  it('a question that changes after it was due soon is not reported as due again [0043.10]', async () => {
    const all = recordingSubscriber('all', { dueSoonMs: 60_000 });
    const script: Script = [
      [{ call: 'crash', id: 'call-1', input: { to: 'alice' } }],
      [{ text: 'Nobody answered.' }],
    ];
    const { chat, until } = reporting([all.subscriber], script, {
      toolApproval: { crash: 'user-approval' },
      toolDetails: { crash: { votes: { count: 2 } } },
      deadlineMs: 90_000,
    });
    const here = chat();
    const id = questionIn(await here.say('Go.'));
    await until(() => expect(all.got.at(-1)?.type).toBe('question.due-soon'));
    await here.answer(id, true);
    await until(() => expect(all.got).toHaveLength(4));
    const types = all.tried.map(({ type }) => type);
    // The end of the turn is not ordered with the events of the question.
    expect(types.toSorted()).toEqual([
      'question.due-soon',
      'question.opened',
      'question.withdrawn',
      'turn.ended',
    ]);
    expect(types.filter((type) => type !== 'turn.ended')).toEqual([
      'question.opened',
      'question.due-soon',
      'question.withdrawn',
    ]);
  });

  it('the end of a question is not delivered if its chat is erased meanwhile [0043.8]', async () => {
    const all = recordingSubscriber('all');
    const plain = sqliteStore({ path: ':memory:' });
    const store: FlowStore = {
      ...plain,
      questions: {
        ...plain.questions,
        async read(id) {
          const found = await plain.questions.read(id);
          if (found?.state === 'superseded') await plain.chats.erase(found.chatId, 'ada', found.requestedAt);
          return found;
        },
      },
    };
    const script: Script = ({ prompt }) =>
      JSON.stringify(prompt.at(-1)).includes('Go.')
        ? [{ call: 'crash', id: 'call-1', input: { to: 'alice' } }]
        : [{ text: 'Hello.' }];
    const { chat, until } = reporting([all.subscriber], script, {
      toolApproval: { crash: 'user-approval' },
      store,
    });
    const here = chat();
    await here.say('Go.');
    await until(() => expect(all.names()).toHaveLength(1));
    await here.say('Hi.');
    await until(async () => expect(await plain.chats.head(here.id)).toBeUndefined());
    await chat('other').say('Hi.');
    await until(() => expect(all.names()).toContain('turn.ended other'));
    expect(all.tried.map(({ type }) => type)).not.toContain('question.withdrawn');
  });

  it('a stopped turn is reported as stopped [0043.1]', async () => {
    const all = recordingSubscriber('all', { events: ['turn.ended'] });
    const { chat, until, flow } = reporting(
      [all.subscriber],
      [[{ text: 'A' }, { wait: new Promise(() => {}) }]],
    );
    const here = chat();
    const said = here.say('Go.');
    await waitFor(async () =>
      expect((await flow.chats.read({ chatId: here.id, principal: ada })).run.status).toBe('active'),
    );
    const stopped = here.stop();
    await until(() => expect(all.got.map(({ data }) => data)).toMatchObject([{ outcome: 'stopped' }]));
    await Promise.all([said, stopped]);
  });
});

describe('a subscriber', () => {
  const hello: Script = () => [{ text: 'Hello.' }];

  it('gets only the types that it names [0043.1]', async () => {
    const questions = recordingSubscriber('questions', { events: ['question.opened'] });
    const turns = recordingSubscriber('turns', { events: ['turn.ended'] });
    const { chat, until } = reporting([questions.subscriber, turns.subscriber], hello);
    await chat().say('Hi.');
    await until(() => expect(turns.names()).toEqual(['turn.ended chat']));
    expect(questions.tried).toEqual([]);
  });

  it('that throws is tried again, and its error is logged, not stored [0043.5]', async () => {
    let attempts = 0;
    const deliver = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('The pager is on fire.');
    };
    const { chat, until, store, warnings } = reporting([{ id: 'throws', deliver }], hello);
    await chat().say('Hi.');
    await until(() => expect(attempts).toBe(1));
    await waitFor(async () => {
      const [kept] = (await store.subscriptions?.lanes('throws', ['chat chat'])) ?? [];
      expect(kept?.error).toBe('The subscriber threw an error. See the log of the app.');
    });
    expect(warnings).toContain('A subscriber threw an error.');
    await until(() => expect(attempts).toBe(2));
  });

  it('that does not return is given up after 30 seconds, and its signal aborts [0043.4]', async () => {
    const signals: AbortSignal[] = [];
    const deliver: Subscriber['deliver'] = (_event, { signal }) => {
      signals.push(signal);
      return new Promise<void>(() => {});
    };
    const { chat, until, store } = reporting([{ id: 'hangs', deliver }], hello);
    await chat().say('Hi.');
    await until(async () => {
      const [kept] = (await store.subscriptions?.lanes('hangs', ['chat chat'])) ?? [];
      expect(kept?.error).toBe('It took longer than 30 seconds.');
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('loses nothing if the store fails for a while [0043.1]', async () => {
    const recorder = recordingSubscriber();
    const plain = sqliteStore({ path: ':memory:' });
    const { subscriptions } = plain;
    if (!subscriptions) throw new Error('This store has no subscriptions.');
    let isBroken = false;
    const broken =
      <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (isBroken) throw new CountersignError('internal', 'Not now.', {}, { transient: true });
        return method(...args);
      };
    const store: FlowStore = {
      ...plain,
      subscriptions: {
        ...subscriptions,
        feed: broken(subscriptions.feed),
        commit: broken(subscriptions.commit),
      },
    };
    const { chat, until, warnings } = reporting([recorder.subscriber], hello, { store });
    await until(() => subscriptions.state('recorder').then((state) => expect(state).toBeDefined()));
    isBroken = true;
    await chat().say('Hi.');
    await until(() => expect(warnings).toContain('A subscription failed. The next sweep retries.'));
    isBroken = false;
    await until(() => expect(recorder.names()).toEqual(['turn.ended chat']));
  });

  it('waits only for the events that cannot be read, and gets each other one once [0043.4]', async () => {
    const recorder = recordingSubscriber();
    const plain = sqliteStore({ path: ':memory:' });
    let isBroken = false;
    const store: FlowStore = {
      ...plain,
      events: {
        ...plain.events,
        async read(chatId, ...rest) {
          if (isBroken && chatId === 'unreadable') throw new Error('The page of the database is damaged.');
          return plain.events.read(chatId, ...rest);
        },
      },
    };
    const script: Script = () => [{ text: 'Hello.' }];
    const { chat, until, warnings } = reporting([recorder.subscriber], script, { store });
    await chat('unreadable').say('Hi.');
    await chat('readable').say('Hi.');
    isBroken = true;
    await until(() => expect(warnings).toContain('An event could not be read.'));
    await until(() => expect(recorder.names()).toContain('turn.ended readable'));
    await until(async () => {
      const [kept] = (await store.subscriptions?.lanes('recorder', ['chat unreadable'])) ?? [];
      expect(kept).toMatchObject({ error: 'The event could not be read. See the log of the app.' });
      expect(kept?.attempts).toBeGreaterThan(1);
    });
    isBroken = false;
    await until(() => expect(recorder.names()).toContain('turn.ended unreadable'));
    expect(recorder.tried.map(({ data }) => 'chatId' in data && data.chatId)).toEqual([
      'readable',
      'unreadable',
    ]);
  });
});
