import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, interceptedStore } from 'countersign/testing';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Append, FlowStore } from '../../../lib/log/store/index.ts';
import { CountersignError, type FlowEvent, parseChatId } from '../../../lib/protocol/index.ts';
import { createLateOutcomes } from '../../../lib/run/outcomes/late-outcomes.ts';
import { barrier } from '../../support/barrier.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { cutOffStore } from '../../support/cut-off-store.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';
import { lostRun } from '../../support/lost-run.ts';
import { passTime, passTimeUntil } from '../../support/pass-time.ts';
import { twiceInterrupted } from '../../support/twice-interrupted.ts';

const leaseMs = 10_000;
const quiet = { warn: () => {}, error: () => {} };
const unreachable = () =>
  new CountersignError('internal', 'The database is not reachable.', {}, { transient: true });

/** An error of this name, with these fields. Another copy of the package has its own classes. */
const failureOf = (name: string, fields: object) => () =>
  Object.assign(new Error('Failed.'), { name }, fields);
/** Errors of wrappers around a store. */
const unclassified: [string, () => unknown][] = [
  ['the error of a socket', failureOf('Error', { code: 'ECONNREFUSED' })],
  ['the error of another copy of the package', failureOf('CountersignError', { transient: true })],
  ['an error of a wrapper', () => new TypeError('No span is active.')],
  ['no error at all', () => undefined],
];

describe('a call’s end during a store outage', () => {
  it('is retried as the same batch, with growing pauses, until it is written', async () => {
    const clock = fakeClock();
    const tried: { id?: string; at: number; types: string[] }[] = [];
    let failures = 6;
    const store = interceptedStore(sqliteStore({ path: ':memory:' }), ({ id, events }: Append) => {
      const types = events.map(({ type }) => type);
      if (!types.includes('tool-completed')) return;
      tried.push({ id, at: clock.now(), types });
      failures -= 1;
      if (failures >= 0) throw unreachable();
    });
    const { ran, say, events } = flowFixture(
      [[{ call: 'weather', input: { city: 'Rome' } }], [{ text: 'Sunny.' }]],
      { store, clock, leaseMs, logger: quiet },
    );
    await passTimeUntil(clock, say('Weather?'));
    expect(ran).toHaveLength(1);
    expect((await events()).find(({ type }) => type === 'tool-completed')).toMatchObject({
      output: 'Sunny in Rome',
    });
    expect(tried).toHaveLength(7);
    expect(new Set(tried.map(({ id }) => id)).size).toBe(1);
    const pauses = tried.slice(1).map(({ at }, index) => at - (tried[index]?.at ?? 0));
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(Math.max(...pauses)).toBeGreaterThan(Math.min(...pauses));
  });

  it('is not written twice if its acknowledgement was lost', async () => {
    const clock = fakeClock();
    const inner = sqliteStore({ path: ':memory:' });
    let lost = 0;
    const store: FlowStore = {
      ...inner,
      async append(batch) {
        const result = await inner.append(batch);
        if (batch.events.some(({ type }) => type === 'tool-completed') && lost === 0) {
          lost += 1;
          throw unreachable();
        }
        return result;
      },
    };
    const { say, events } = flowFixture(
      [[{ call: 'weather', input: { city: 'Rome' } }], [{ text: 'Sunny.' }]],
      {
        store,
        clock,
        logger: quiet,
      },
    );
    await passTimeUntil(clock, say('Weather?'));
    expect(lost).toBe(1);
    const log = await events();
    expect(log.filter(({ type }) => type === 'tool-completed')).toHaveLength(1);
    expect(log.at(-1)?.type).toBe('run-completed');
  });

  /** An approved call ends while the store cannot be reached for two seconds. */
  async function endsWhileCut(failure?: () => unknown) {
    const clock = fakeClock();
    const inner = sqliteStore({ path: ':memory:' });
    const line = cutOffStore(inner, failure);
    const { wait, lift } = barrier();
    const slow = tool({ inputSchema: z.object({}), execute: () => wait.then(() => 'the result') });
    const owner = flowFixture([[{ call: 'slow' }], [{ text: 'Done.' }]], {
      store: line.store,
      clock,
      leaseMs,
      tools: { slow } as ToolSet,
      logger: quiet,
    });
    const other = flowFixture([], { store: inner, clock, leaseMs, logger: quiet });
    const chat = owner.chat();
    const response = chat.say('Go.').catch((error: unknown) => error);
    await expect
      .poll(async () => (await chat.events().catch(() => [])).map(({ type }) => type))
      .toContain('tool-started');
    // Down over two heartbeats; the lease is renewed as soon as the store is back, not at the next third.
    await passTime(clock, 3_000, 100);
    line.cut();
    lift();
    await passTime(clock, 7_000 - 100, 100);
    line.heal();
    await passTime(clock, 2_000, 50);
    await other.flow.recover();
    await passTimeUntil(clock, response);
    return chat.events();
  }

  it('keeps the lease of its run if the outage is shorter than the lease', async () => {
    const log = await endsWhileCut();
    expect(log.find(({ type }) => type === 'tool-completed')).toMatchObject({ output: 'the result' });
    expect(log.some(({ type }) => type === 'outcome-resolved')).toBe(false);
  });

  it.each(unclassified)('is recorded if the store throws %s', async (_what, failure) => {
    const log = await endsWhileCut(failure);
    const outcomes = log.filter(({ type }) => type === 'tool-completed' || type === 'outcome-resolved');
    expect(outcomes).toMatchObject([{ output: 'the result' }]);
  });

  it('is tried once if the store refuses it', async () => {
    const log = await endsWhileCut(() => new CountersignError('internal', 'The store is closed.'));
    expect(log.some(({ type }) => type === 'tool-completed')).toBe(false);
  });
});

const resolvedIn = (log: readonly FlowEvent[]) => log.filter((event) => event.type === 'outcome-resolved');

describe('a result that arrives too late for its run replaces the unknown outcome', () => {
  it.each(unclassified)('also if the store threw %s', async (_what, failure) => {
    const { chat, heal } = await lostRun({ failure });
    await heal();
    expect(resolvedIn(await chat.events())).toMatchObject([{ output: 'the real result', source: 'late' }]);
  });

  it.each([
    ...unclassified.map(([what, failure]) => [what, failure, 3] as const),
    ['that it is closed', () => new CountersignError('internal', 'The store is closed.'), 1] as const,
  ])('and is reported again if the store throws %s', async (_what, failure, attempts) => {
    const clock = fakeClock();
    const resolve = vi.fn().mockResolvedValue({ type: 'no-such-call' });
    for (let failed = 1; failed < 3; failed += 1)
      resolve.mockImplementationOnce(() => Promise.reject(failure()));
    const notifications = { listen: () => () => {} } as never;
    const late = createLateOutcomes({ clock, logger: quiet, notifications, resolve });
    const call = { requested: { toolCallId: 'act-1', seq: 1 } } as never;
    late.report({ id: parseChatId('chat'), createdAt: 0, seq: 1 }, call, { outcome: 'not-run' });
    await passTimeUntil(clock, late.delivered());
    expect(resolve).toHaveBeenCalledTimes(attempts);
  });

  it('in the log, once, as an event of the chat', async () => {
    const { chat, heal, typesOf } = await lostRun();
    expect(await typesOf()).toContain('tool-failed');
    await heal();
    const log = await chat.events();
    expect(resolvedIn(log)).toMatchObject([
      { source: 'late', outcome: 'completed', output: 'the real result', toolCallId: 'act-1' },
    ]);
    expect(resolvedIn(log)[0]).not.toHaveProperty('runId');
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  });

  it('for the model, also in a finished turn', async () => {
    const { chat, heal, second, first, clock } = await lostRun();
    await passTimeUntil(clock, chat.say('Well?'));
    expect(JSON.stringify(second.model.calls.at(-1)?.prompt)).toContain('outcome-unknown');
    await heal();
    for (const [instance, text] of [
      [second, 'And?'],
      [first, 'What do you say?'],
    ] as const) {
      const message = userMessage(`message-${text.length}`, text);
      await passTimeUntil(clock, instance.chat().say(text, { message }));
      const prompt = instance.model.calls.at(-1)?.prompt ?? [];
      expect(JSON.stringify(prompt)).toContain(text);
      expect(JSON.stringify(prompt)).toContain('the real result');
      expect(JSON.stringify(prompt)).not.toContain('outcome-unknown');
      expect(checkPrompt(prompt)).toEqual([]);
    }
  });

  it('on the page, stored and streamed alike, with no trace of the error', async () => {
    const { chat, heal, unknown } = await lostRun();
    expect(JSON.stringify(unknown.messages)).toContain('outcome-unknown');
    await heal();
    const { messages } = await chat.view();
    const part = messages.at(-1)?.parts.find((candidate) => 'toolCallId' in candidate);
    expect(part).toMatchObject({
      state: 'output-available',
      output: 'the real result',
      toolMetadata: { countersign: { resolved: { source: 'late', outcome: 'completed' } } },
    });
    expect(part).not.toHaveProperty('errorText');
    const replayed = await messageOf((await chat.resume()) ?? []);
    expect(replayed).toEqual(plain(messages.at(-1)));
  });

  it('after a stopped turn too, whose replay still ends with its abort', async () => {
    const { chat, heal } = await lostRun({ stopped: true });
    await heal();
    const chunks = (await chat.resume()) ?? [];
    expect(chunks.at(-1)?.type).toBe('abort');
    const outcomes = chunks.filter(({ type }) => type.startsWith('tool-output'));
    expect(outcomes.map(({ type }) => type)).toEqual(['tool-output-error', 'tool-output-available']);
    const { messages } = await chat.view();
    expect(await messageOf(chunks)).toEqual(plain(messages.at(-1)));
  });

  it('without the tool’s secrets', async () => {
    const { chat, heal, second } = await lostRun({
      result: () => ({ token: 'hush', city: 'Rome' }),
      settings: { toolDetails: { act: { secrets: { output: ['token'] } } } as never },
    });
    await heal();
    const shown = JSON.stringify([
      await chat.events(),
      await chat.view(),
      await chat.resume(),
      await second.flow.chats.timeline({ chatId: chat.id, principal: ada }),
    ]);
    expect(shown).toContain('Rome');
    expect(shown).not.toContain('hush');
  });

  it.each([
    ['before the process learns that its run is lost', false],
    ['after the process has learned it', true],
  ])('if it is a failure, too, %s', async (_when, noticed) => {
    const { chat, heal } = await lostRun({
      noticed,
      result: () => {
        throw new Error('The card was declined.');
      },
    });
    await heal();
    expect(resolvedIn(await chat.events())).toMatchObject([
      { outcome: 'failed', error: 'The card was declined.' },
    ]);
    const part = (await chat.view()).messages.at(-1)?.parts.find((candidate) => 'toolCallId' in candidate);
    expect(part).toMatchObject({ state: 'output-error', errorText: 'The card was declined.' });
    expect(JSON.stringify(part)).not.toContain('unknown');
  });

  it('between runs, without disturbing an ongoing turn', async () => {
    const { chat, heal, clock, inner } = await lostRun();
    const { wait, lift } = barrier();
    const busy = flowFixture([[{ text: 'Let me' }, { wait }, { text: ' see.' }]], {
      store: inner,
      clock,
      leaseMs,
      logger: quiet,
    });
    const response = busy.chat().say('Hm?');
    await expect.poll(() => busy.model.calls.length).toBe(1);
    await heal();
    expect(resolvedIn(await chat.events())).toEqual([]);
    lift();
    await passTimeUntil(clock, response);
    await passTime(clock, 5_000, 100);
    expect(resolvedIn(await chat.events())).toHaveLength(1);
  });

  it('but writes nothing into a new chat with the id of the erased one', async () => {
    const { chat, heal, clock, second } = await lostRun();
    await second.flow.chats.erase({ chatId: chat.id, principal: ada });
    clock.advance(1);
    await passTimeUntil(clock, chat.say('Anew.'));
    await heal();
    expect(resolvedIn(await chat.events())).toEqual([]);
  });

  it('and close waits for pending reports, at most for the grace period', async () => {
    const { chat, clock, first, line } = await lostRun();
    const closing = first.flow.close();
    await passTime(clock, 1_000, 100);
    line.heal();
    await passTimeUntil(clock, closing);
    expect(resolvedIn(await chat.events())).toHaveLength(1);

    const silent = await lostRun();
    const began = silent.clock.now();
    await passTimeUntil(silent.clock, silent.first.flow.close());
    expect(silent.clock.now() - began).toBeLessThanOrEqual(6_000);
    await silent.heal();
    expect(resolvedIn(await silent.chat.events())).toEqual([]);
  });
});

describe('of a call that a second instance ran again, and a third found interrupted', () => {
  it.each([
    ['did not begin' as const, ['second']],
    ['failed' as const, ['first', 'second']],
  ])(
    'a report that the first attempt %s is not recorded, and the result of the second is',
    async (firstAttempt, instances) => {
      const { chat, ran, firstReports, secondReports } = await twiceInterrupted(firstAttempt);
      await firstReports();
      expect(resolvedIn(await chat.events())).toEqual([]);
      await secondReports();
      expect(resolvedIn(await chat.events())).toMatchObject([
        { source: 'late', outcome: 'completed', output: 'paid' },
      ]);
      expect(ran).toEqual(instances);
    },
  );
});
