import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import type { Clock } from '../../../lib/protocol/index.ts';
import { barrier } from '../../support/barrier.ts';
import { flowFixture, questionIn, types } from '../../support/flow-fixture.ts';
import { freezable, gapAfter, gapIn, leaseMs, oneCall } from '../../support/start-gap.ts';
import { pay, research, subagentFixture } from '../../support/subagent-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';

describe('a call is checked right before it starts', () => {
  it('and is not attempted a second time if the process was frozen before that', async () => {
    const { clock, freeze } = freezable();
    let runs = 0;
    const execute = () => {
      runs += 1;
      throw Object.assign(new Error('Busy.'), { status: 503 });
    };
    const died = Promise.withResolvers<void>();
    const { owner, store, common } = gapAfter(
      'tool-retrying',
      async () => {
        freeze(leaseMs + 8_000);
        const heir = flowFixture(oneCall.slice(1), {
          ...common,
          toolDetails: { act: {} },
          store,
          clock: fakeClock(clock.now()),
        });
        await heir.flow.recover();
        await heir.chat().resume();
        died.resolve();
      },
      { clock, execute, details: { idempotent: true } },
    );
    const response = owner.chat().say('Go.');
    await died.promise;
    await clock.timer(0);
    clock.advance(0);
    await response;
    await untilIdle();
    expect(runs).toBe(1);
    // Its first attempt ran, so it does not say that the call did not.
    expect(
      (await store.events.read(owner.chat().id, 0)).some(({ type }) => type === 'outcome-resolved'),
    ).toBe(false);
  });

  it('and is reported as not run if its process is no longer awaited while it waits for its lease', async () => {
    const { clock, freeze } = freezable();
    const { wait, lift } = barrier();
    let runs = 0;
    const { owner, store } = gapAfter('tool-started', () => freeze(leaseMs - 500), {
      clock,
      execute: () => {
        runs += 1;
        return 'ran';
      },
    });
    const { claimLease } = owner.store.runs;
    Object.assign(owner.store.runs, {
      claimLease: (...given: Parameters<FlowStore['runs']['claimLease']>) =>
        wait.then(() => claimLease(...given)),
    });
    const { id, say, stop } = owner.chat();
    const typesOf = async () => (await store.events.read(id, 0)).map(({ type }) => type);
    const response = say('Go.');
    await expect.poll(() => typesOf().catch(() => [])).toContain('tool-started');
    const stopped = stop();
    await clock.timer(5_000);
    clock.advance(5_000);
    await Promise.all([stopped, response]);
    expect(await typesOf()).toEqual(expect.arrayContaining(['tool-failed', 'run-cancelled']));
    lift();
    await expect
      .poll(async () => (await store.events.read(id, 0)).at(-1))
      .toMatchObject({ type: 'outcome-resolved', source: 'late', outcome: 'not-run' });
    expect(runs).toBe(0);
  });

  it('in the same synchronous block as `execute`', async () => {
    let isLater = false;
    let wasLater: boolean | undefined;
    const clock = fakeClock();
    const { owner } = gapAfter('tool-started', () => {}, {
      clock: {
        ...clock,
        // The last thing that the check reads.
        monotonic: () => {
          isLater = false;
          queueMicrotask(() => {
            isLater = true;
          });
          return clock.now();
        },
      },
      execute: () => {
        wasLater = isLater;
        return 'ran';
      },
    });
    await owner.chat().say('Go.');
    expect(wasLater).toBe(false);
  });
});

describe('each attempt has a fencing token', () => {
  it('that is larger for each attempt of calls in a chat', async () => {
    const tokens: number[] = [];
    const clock = fakeClock();
    const { owner } = gapAfter('tool-started', () => {}, {
      clock,
      details: { idempotent: true },
      execute: (_input, { context }) => {
        tokens.push((context as { fencingToken: number }).fencingToken);
        if (tokens.length === 1) throw Object.assign(new Error('Busy.'), { status: 503 });
        return 'ran';
      },
    });
    const response = owner.chat().say('Go.');
    await clock.timer(0);
    clock.advance(0);
    await response;
    expect(tokens).toHaveLength(2);
    const opened = (await owner.chat().events()).flatMap(({ type, seq }) =>
      type === 'tool-started' || type === 'tool-retrying' ? [seq] : [],
    );
    expect(tokens).toEqual(opened);
  });
});

describe('the model is not called by a process that was frozen and has lost the run', () => {
  /** Freezes a process, while another instance takes its run over and ends it. */
  async function loseRun(
    { clock, freeze }: ReturnType<typeof freezable>,
    heirOf: (clock: Clock) => ReturnType<typeof flowFixture>,
  ) {
    freeze(leaseMs + 8_000);
    const heir = heirOf(fakeClock(clock.now()));
    await heir.flow.recover();
    expect(types((await heir.chat().resume()) ?? []).at(-1)).toBe('finish');
  }

  it('before its first step', async () => {
    const process = freezable();
    const { owner, common } = gapAfter(
      'run-started',
      (store) => loseRun(process, (clock) => flowFixture(oneCall.slice(1), { ...common, store, clock })),
      { clock: process.clock, execute: () => 'ran' },
    );
    await owner.chat().say('Go.');
    await untilIdle();
    expect(owner.model.calls).toEqual([]);
  });

  it('before the next step of a subagent', async () => {
    const process = freezable();
    const [asks, found] = [[pay('one')], [{ text: 'It is 42.' }]];
    const done = [{ text: 'Done.' }];
    const store = gapIn(sqliteStore({ path: ':memory:' }), 'tool-denied', (plain) =>
      loseRun(process, (clock) => subagentFixture([done], [found], { store: plain, clock, leaseMs })),
    );
    const script = [[research('r')], done];
    const owner = subagentFixture(script, [asks, found], { store, clock: process.clock, leaseMs });
    const { say, answer } = owner.chat();
    await answer(questionIn(await say('Go.')), false);
    await untilIdle();
    expect(owner.agentModel.calls).toHaveLength(1);
  });
});
