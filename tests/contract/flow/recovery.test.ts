import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock, type ScriptedPart, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../../../lib/protocol/index.ts';
import { administeredSqlite } from '../../support/administered-store.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

const leaseMs = 10_000;
const pay = (amount: number): ScriptedPart => ({
  call: 'pay',
  input: { to: 'alice', amount },
  id: `pay-${amount}`,
});
const search: ScriptedPart = { call: 'search', input: { query: 'users' }, id: 'search' };
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' }, id: 'weather' };

const turns: Record<string, ScriptedStep[]> = {
  chained: [[{ text: 'Let me look.' }, search], [{ text: 'Found 10.' }, pay(1)], [{ text: 'Paid.' }]],
  parallel: [[{ text: 'Both.' }, pay(1), weather, pay(2)], [{ text: 'Both paid.' }]],
};

/** The same model before and after the crash: what it does next follows from what it is told. */
const playing = (steps: ScriptedStep[]) => (options: LanguageModelV4CallOptions) =>
  steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];

type Fixture = ReturnType<typeof flowFixture>;
type Chat = ReturnType<Fixture['chat']>;

/** A person who says yes to everything, and notes what was acknowledged. */
async function agree({ say, answer }: Chat, acknowledged: string[]): Promise<void> {
  let response = await say('Go.');
  acknowledged.push('message');
  while (types(response).includes('tool-approval-request')) {
    const id = questionIn(response);
    response = await answer(id, true);
    acknowledged.push(id);
  }
}

/** The same person after the restart: reads what there is, and answers what is open. */
async function goOn({ resume, view, answer }: Chat): Promise<void> {
  for (;;) {
    await resume();
    const { open } = await view();
    if (open === undefined) return;
    await answer(open, true);
  }
}

const interruptedIn = (log: readonly FlowEvent[]) => {
  const ended = new Set(
    log.flatMap((event) =>
      /^tool-(completed|failed|denied|cancelled)$/.test(event.type) && 'toolCallId' in event
        ? [event.toolCallId]
        : [],
    ),
  );
  return log.flatMap((event) =>
    event.type === 'tool-started' && !ended.has(event.toolCallId) ? [event.toolCallId] : [],
  );
};

async function countAppends(steps: ScriptedStep[]): Promise<number> {
  const { store, appends } = dyingStore(sqliteStore({ path: ':memory:' }));
  await agree(flowFixture(playing(steps), { store }).chat(), []);
  return appends();
}

const rows = await Promise.all(
  Object.entries(turns).map(async ([name, steps]) => {
    const count = await countAppends(steps);
    return Array.from({ length: count }, (_, place) =>
      (['before', 'after'] as const).map((death) => [name, death, place] as const),
    ).flat();
  }),
);

describe('a crash at any append [T7, T12]', () => {
  it.each(rows.flat())(
    'a %s turn that dies %s append %i is written is completed after the restart',
    async (name, death, place) => {
      const steps = turns[name] ?? [];
      const { store: first, another } = administeredSqlite();
      const clock = fakeClock();
      const acknowledged: string[] = [];
      const dying = dyingStore(first, { when: death, append: place + 1 });
      const before = flowFixture(playing(steps), { store: dying.store, clock, leaseMs });
      void agree(before.chat(), acknowledged);
      await dying.died;

      clock.advance(leaseMs + 1);
      const store = another();
      const log = await store.events.read('chat' as never, 0);
      const interrupted = interruptedIn(log);
      for (const fact of acknowledged) {
        const kept = log.some((event) =>
          fact === 'message'
            ? event.type === 'message-received'
            : 'approvalId' in event && event.approvalId === fact,
        );
        expect(kept, `${fact} was acknowledged`).toBe(true);
      }

      const after = flowFixture(playing(steps), { store, clock, leaseMs });
      const chat = after.chat();
      await after.flow.recover();
      if (log.length === 0) await agree(chat, []);
      else await goOn(chat);

      const stored = await chat.view();
      expect(stored.run.status).toBe('idle');
      const runs = [...before.ran, ...after.ran].map(({ toolCallId }) => toolCallId);
      expect(runs).toEqual([...new Set(runs)]);
      const whole = await chat.events();
      const unknown = whole.flatMap((event) =>
        event.type === 'tool-failed' && event.error.startsWith('outcome-unknown:') ? [event.toolCallId] : [],
      );
      expect(unknown.sort()).toEqual([...interrupted].sort());
      const completed = whole.flatMap((event) => (event.type === 'tool-completed' ? [event.toolCallId] : []));
      const called = steps
        .flat()
        .flatMap((part) => ('call' in part && part.id !== undefined ? [part.id] : []));
      expect([...completed, ...unknown].sort()).toEqual(called.sort());
      expect(runs).toEqual(expect.arrayContaining(completed));
      for (const { prompt } of [...before.model.calls, ...after.model.calls])
        expect(checkPrompt(prompt)).toEqual([]);
      expect(await messageOf((await chat.resume()) ?? [])).toEqual(plain(stored.messages.at(-1)));
      await after.flow.close();
    },
  );
});
