import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { type FakeClock, fakeClock, type ScriptedStep } from 'countersign/testing';
import { z } from 'zod';
import type { FlowSettings, ToolDetails } from '../../lib/flow/index.ts';
import type { Append, AppendResult, FlowStore } from '../../lib/log/store/index.ts';
import type { Clock, EventBody } from '../../lib/protocol/index.ts';
import { flowFixture } from './flow-fixture.ts';

export const leaseMs = 10_000;
/** One call, followed by a text. */
export const oneCall: ScriptedStep[] = [[{ call: 'act', id: 'act-1' }], [{ text: 'Done.' }]];

type Execute = (input: unknown, options: { abortSignal: AbortSignal; context: never }) => unknown;

/** A flow whose store runs a function once, right after an append with an event of one type. */
export function gapAfter(
  type: EventBody['type'],
  then: (store: FlowStore) => Promise<void> | void,
  { clock, details = {}, execute }: { clock: Clock; details?: ToolDetails; execute: Execute },
) {
  const store = sqliteStore({ path: ':memory:' });
  const act = tool({ inputSchema: z.looseObject({}), execute: execute as never });
  const common: Partial<FlowSettings> = {
    tools: { act } as ToolSet,
    toolDetails: { act: details },
    retry: { delayMs: 0 },
    leaseMs,
    logger: { warn: () => {}, error: () => {} },
  };
  return {
    store,
    common,
    owner: flowFixture(oneCall, { ...common, store: gapIn(store, type, then), clock }),
  };
}

/** A store that runs a function once, right after an append with an event of one type. */
export function gapIn(
  store: FlowStore,
  type: EventBody['type'],
  then: (store: FlowStore) => Promise<void> | void,
): FlowStore {
  let isFirst = true;
  return {
    ...store,
    async append(batch: Append): Promise<AppendResult> {
      const result = await store.append(batch);
      if (isFirst && batch.events.some((event) => event.type === type)) {
        isFirst = false;
        await then(store);
      }
      return result;
    },
  };
}

/** A process that can be frozen: time passes, but none of its timers run. */
export function freezable() {
  const running = fakeClock();
  let frozenMs = 0;
  const clock: FakeClock = { ...running, now: () => running.now() + frozenMs };
  return {
    clock,
    freeze: (ms: number) => {
      frozenMs += ms;
    },
  };
}
