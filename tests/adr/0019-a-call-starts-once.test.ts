import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { FlowSettings, ToolDetails } from '../../lib/flow/index.ts';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type EventBody, type Principal, parseToolCallId } from '../../lib/protocol/index.ts';
import { acting, outcomeOf } from '../support/acting-tool.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, types } from '../support/flow-fixture.ts';
import { freezable, gapAfter, leaseMs, oneCall } from '../support/start-gap.ts';
import { untilIdle } from '../support/until-idle.ts';

const { clause } = adr('0019-a-call-starts-once.md');

/** The model's output follows from its prompt, so every instance has the same model. */
const script = ({ prompt }: { prompt: readonly { role: string }[] }): ScriptedStep =>
  prompt.at(-1)?.role === 'user' ? (oneCall[0] ?? []) : [{ text: 'Done.' }];

const reset = () => Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });

type Context = { readonly idempotencyKey: string; readonly fencingToken: number };

/** An instance with one tool; `act` gets the number of the run, from 1, and the call's context. */
function instance(
  act: (run: number, context: Context) => unknown,
  { details = {}, ...settings }: Partial<FlowSettings> & { details?: ToolDetails } = {},
) {
  let runs = 0;
  const execute = (_input: unknown, { context }: { context: unknown }) => {
    runs += 1;
    return act(runs, context as Context);
  };
  const shared: Partial<FlowSettings> = {
    tools: { act: tool({ inputSchema: z.looseObject({}), execute: execute as never }) } as ToolSet,
    toolDetails: { act: details },
    logger: { warn: () => {}, error: () => {} },
    leaseMs,
    ...settings,
  };
  return { shared, ...flowFixture(script, shared) };
}

/** Lets another instance take a run over after its lease. */
async function takeOver(shared: Partial<FlowSettings>, store: FlowStore, now: number) {
  const heir = flowFixture(script, { ...shared, store, clock: fakeClock(now + leaseMs) });
  await heir.flow.recover();
  return { heir, chunks: (await heir.chat().resume()) ?? [] };
}

clause('0019.1', async () => {
  for (const notices of [true, false]) {
    const { clock, freeze } = freezable();
    let runs = 0;
    const { owner, store, common } = gapAfter(
      'tool-started',
      async () => {
        freeze(leaseMs + 8_000);
        const heir = flowFixture(script, { ...common, store, clock: fakeClock(clock.now()) });
        await heir.flow.recover();
        expect(outcomeOf((await heir.chat().resume()) ?? [])).toMatchObject({
          errorText: expect.stringMatching(/^outcome-unknown:/),
        });
      },
      {
        // Rejected: without a clock that advances, only the durable start counts.
        clock: notices ? clock : fakeClock(clock.now()),
        execute: () => {
          runs += 1;
          return 'ran';
        },
      },
    );
    await owner.chat().say('Go.');
    await expect
      .poll(async () => (await store.events.read(owner.chat().id, 0)).at(-1))
      .toMatchObject({
        type: 'outcome-resolved',
        source: 'late',
        outcome: notices ? 'not-run' : 'completed',
      });
    expect(runs).toBe(notices ? 0 : 1);
  }
});

clause('0019.2', async () => {
  /** Freezes the process after its durable start. Returns how often the call ran, and whether the lease was renewed. */
  async function frozenFor(ms: number, meanwhile: (store: FlowStore) => Promise<void> = async () => {}) {
    const { clock, freeze } = freezable();
    const order: string[] = [];
    const { owner, store } = gapAfter(
      'tool-started',
      async (plain) => {
        freeze(ms);
        await meanwhile(plain);
      },
      {
        clock,
        execute: () => {
          order.push('ran');
          return 'ran';
        },
      },
    );
    // The heir claims through the same store, and is not counted.
    const { runs } = owner.store;
    Object.assign(owner.store, {
      runs: {
        ...runs,
        claimLease: (...given: Parameters<typeof runs.claimLease>) => {
          order.push('renewed');
          return runs.claimLease(...given);
        },
      },
    });
    void owner.chat().say('Go.');
    await expect
      .poll(async () => (await store.events.read(owner.chat().id, 0)).map(({ type }) => type))
      .toContainEqual(expect.stringMatching(/^tool-(completed|failed)$/));
    await untilIdle();
    return order;
  }

  expect(await frozenFor(0)).toEqual(['ran']);
  expect(await frozenFor(leaseMs - 500)).toEqual(['renewed', 'ran']);
  expect(await frozenFor(2 * leaseMs)).toEqual(['renewed', 'ran']);

  // Another owner came, wrote, and released the lease. The lease is free, but the log is not ours any more.
  const heirCame = async (store: FlowStore) => {
    const chatId = flowFixture([]).chat().id;
    const head = await store.chats.head(chatId);
    const started = (await store.events.read(chatId, 0)).at(-1);
    if (!head || started?.type !== 'tool-started') throw new Error('The call has not started.');
    const { toolCallId, runId, at } = started;
    const owner = 'heir';
    expect(await store.runs.claimLease(chatId, { owner, until: at + 2 * leaseMs }, at + leaseMs)).toBe(true);
    const unknown: EventBody = {
      type: 'tool-failed',
      toolCallId,
      error: 'outcome-unknown: nobody knows.',
      outcome: 'unknown',
      retryable: false,
      wasRetried: false,
      modelOutput: { type: 'error-text', value: 'Nobody knows.' },
    };
    const seq = head.seq + 1;
    const events = [{ ...unknown, seq, at: at + leaseMs, runId }];
    const append = { chatId, after: head.seq, head: { ...head, seq }, owner, events, questions: [] };
    expect(await store.append(append)).toBe('appended');
  };
  expect(await frozenFor(3 * leaseMs, heirCame)).toEqual(['renewed']);
});

clause('0019.3', async () => {
  let runs = 0;
  let stopping: Promise<void> | undefined;
  const { owner } = gapAfter(
    'tool-started',
    async () => {
      stopping = owner.chat().stop();
      // The stop has been noted, and waits for the end of the run.
      await untilIdle();
    },
    {
      clock: fakeClock(),
      execute: () => {
        runs += 1;
        return 'ran';
      },
    },
  );
  const response = await owner.say('Go.');
  await stopping;
  expect(runs).toBe(0);
  expect(response.at(-1)).toMatchObject({ type: 'abort' });
  expect((await owner.chat().events()).find(({ type }) => type === 'tool-cancelled')).toMatchObject({
    reason: 'Stopped before it ran.',
  });
});

clause('0019.4', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const clock = fakeClock();
  const guarded = { value: '', token: 0 };
  const unguarded = { value: '' };
  const begun = Promise.withResolvers<void>();
  const suspended = Promise.withResolvers<void>();
  const wrote = Promise.withResolvers<void>();
  const write = (value: string, token: number) => {
    unguarded.value = value;
    if (token > guarded.token) Object.assign(guarded, { value, token });
  };
  const { shared, chat } = instance(
    async (run, { fencingToken }) => {
      if (run === 1) {
        begun.resolve();
        await suspended.promise;
      }
      write(`attempt ${run}`, fencingToken);
      if (run === 1) wrote.resolve();
      return 'written';
    },
    { store, clock, details: { idempotent: true } },
  );
  void chat().say('Go.');
  await begun.promise;
  const { chunks } = await takeOver(shared, store, clock.now());
  expect(types(chunks)).toContain('tool-output-available');
  suspended.resolve();
  await wrote.promise;
  expect(guarded.value).toBe('attempt 2');
  // Rejected: a resource that accepts every write.
  expect(unguarded.value).toBe('attempt 1');
});

clause('0019.5', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-0019-'));
  try {
    const path = join(folder, 'live.sqlite');
    const backup = join(folder, 'backup.sqlite');
    const store = sqliteStore({ path });
    const clock = fakeClock();
    const keys: string[] = [];
    const begun = Promise.withResolvers<void>();
    const { shared, chat } = instance(
      async (run, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (run === 1) throw Object.assign(new Error('Busy.'), { status: 503 });
        if (run === 2) {
          begun.resolve();
          await Promise.withResolvers<void>().promise;
        }
        return 'paid';
      },
      { store, clock, retry: { delayMs: 0 }, details: { idempotent: true } },
    );
    void chat().say('Go.');
    await clock.timer(0);
    clock.advance(0);
    await begun.promise;
    const connection = new DatabaseSync(path);
    connection.exec(`VACUUM INTO '${backup}'`);
    connection.close();
    await takeOver(shared, store, clock.now());
    await takeOver(shared, sqliteStore({ path: backup }), clock.now());
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  const keys: string[] = [];
  const ids: string[] = [];
  const { flow, chat, read } = instance((run, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    ids.push('act-1');
    if (run === 4) throw Object.assign(new Error('Later.'), { retryable: true });
    return 'paid';
  });
  const [one, other] = [chat('one'), chat('other')];
  await one.say('Go.');
  await other.say('Go.');
  await flow.chats.erase({ chatId: one.id, principal: ada });
  await one.say('Go.');
  const third = chat('third');
  await third.say('Go.');
  const again = { chatId: third.id, principal: ada, toolCallId: parseToolCallId('act-1') };
  await read(await flow.chats.retryCall(again));
  expect(new Set(keys).size).toBe(5);
  // Rejected: the call id, which the model chooses.
  expect(new Set(ids).size).toBe(1);
});

clause('0019.6', async () => {
  for (const idempotent of [true, false]) {
    for (const fault of [() => Object.assign(new Error('Busy.'), { status: 503 }), reset]) {
      let runs = 0;
      const clock = fakeClock();
      const { chat } = instance(
        (run) => {
          runs = run;
          if (run === 1) throw fault();
          return 'well';
        },
        { clock, retry: { delayMs: 0 }, details: { idempotent } },
      );
      const talk = chat();
      const response = talk.say('Go.');
      if (idempotent) {
        await clock.timer(0);
        clock.advance(0);
      }
      await response;
      expect(runs).toBe(idempotent ? 2 : 1);
      const end = (await talk.events()).find(
        ({ type }) => type === 'tool-completed' || type === 'tool-failed',
      );
      if (idempotent) expect(end).toMatchObject({ type: 'tool-completed' });
      else expect(end).toMatchObject({ outcome: fault === reset ? 'unknown' : 'failed' });
    }
  }
});

clause('0019.7', async () => {
  const findings: [NonNullable<ToolDetails['lookup']> | undefined, object][] = [
    [() => ({ outcome: 'completed', output: 'paid' }), { type: 'tool-output-available', output: 'paid' }],
    [() => ({ outcome: 'failed', error: 'No funds.' }), { errorText: 'No funds.' }],
    [() => ({ outcome: 'not-run' }), { errorText: 'It did not run: the server went away first.' }],
    [() => undefined, { errorText: expect.stringMatching(/^outcome-unknown:/) }],
    [() => Promise.reject(new Error('No line.')), { errorText: expect.stringMatching(/^outcome-unknown:/) }],
    // Rejected: no lookup, so an outcome that could be found stays unknown.
    [undefined, { errorText: expect.stringMatching(/^outcome-unknown:/) }],
  ];
  for (const [lookup, outcome] of findings) {
    const store = sqliteStore({ path: ':memory:' });
    const clock = fakeClock();
    const begun = Promise.withResolvers<void>();
    const keys: string[] = [];
    const asked: string[] = [];
    const watched: ToolDetails['lookup'] = (key, call) => {
      asked.push(key);
      return lookup?.(key, call);
    };
    const { shared, chat } = instance(
      (_run, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        begun.resolve();
        return Promise.withResolvers<void>().promise;
      },
      { store, clock, details: lookup ? { lookup: watched } : {} },
    );
    void chat().say('Go.');
    await begun.promise;
    const { chunks } = await takeOver(shared, store, clock.now());
    expect(outcomeOf(chunks)).toMatchObject(outcome);
    expect(keys).toHaveLength(1);
    expect(asked).toEqual(lookup ? keys : []);
  }
});

clause('0019.8', async () => {
  for (const idempotent of [true, false]) {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const { run, clock, events } = acting(
      (_input, { abortSignal }) => {
        begun.resolve(abortSignal);
        return Promise.withResolvers<void>().promise;
      },
      { details: { timeoutMs: 60_000, idempotent } },
    );
    const response = run();
    const signal = await begun.promise;
    clock.advance(60_000);
    await response;
    expect(signal?.aborted).toBe(true);
    const end = (await events()).find((event) => event.type === 'tool-failed');
    expect(end).toMatchObject({
      outcome: idempotent ? 'failed' : 'unknown',
      retryable: idempotent,
      error: expect.stringContaining('60000 ms'),
    });
  }
});

clause('0019.9', async () => {
  const eve: Principal = { id: 'eve', name: 'Eve' };
  const begun = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<string>();
  const clock = fakeClock();
  const { flow, chat } = instance(
    () => {
      begun.resolve();
      return slow.promise;
    },
    { clock, details: { timeoutMs: 1_000 } },
  );
  const talk = chat();
  const response = talk.say('Go.');
  await begun.promise;
  clock.advance(1_000);
  await response;
  const call = { chatId: talk.id, toolCallId: parseToolCallId('act-1') };
  const said = { ...call, principal: ada, outcome: 'not-run', note: 'Not on the statement.' } as const;
  await expect(flow.approvals.resolveOutcome({ ...said, principal: eve })).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(await flow.approvals.resolveOutcome(said)).toMatchObject({ source: 'person', by: { id: 'ada' } });
  await expect(flow.approvals.resolveOutcome({ ...said, outcome: 'completed' })).rejects.toMatchObject({
    code: 'already-answered',
    fields: {
      toolCallId: 'act-1',
      resolution: { outcome: 'not-run', source: 'person', by: { id: 'ada' }, note: said.note },
    },
  });
  expect((await talk.events()).filter(({ type }) => type === 'outcome-resolved')).toHaveLength(1);
  slow.resolve('paid');
  await expect
    .poll(async () => (await talk.view()).messages.at(-1)?.parts)
    .toContainEqual(expect.objectContaining({ state: 'output-available', output: 'paid' }));
});
