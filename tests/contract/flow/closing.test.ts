import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store-port.ts';
import { flowFixture } from '../../support/flow-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';

const sweepMs = 3_000;

it('waits for the sweep that has begun, which is the last, and withdraws its reports after it', async () => {
  const clock = fakeClock();
  const { store, calls, reached, release } = heldStore('questionChanges');
  const warnings: unknown[] = [];
  const logger = { warn: (...warning: unknown[]) => warnings.push(warning), error: () => {} };
  const { flow } = flowFixture([], { store, clock, sweepMs, logger });
  clock.advance(sweepMs);
  await reached;
  let isClosed = false;
  const closing = flow.close().then(() => {
    isClosed = true;
  });
  await untilIdle();
  expect(isClosed).toBe(false);
  release();
  await closing;
  expect(calls.filter((name) => name === 'announce' || name === 'retire')).toEqual(['announce', 'retire']);
  store.close();
  clock.advance(10 * sweepMs);
  await untilIdle();
  expect(warnings).toEqual([]);
});

it('waits no longer than the grace period for a sweep that does not end', async () => {
  const clock = fakeClock();
  const { store, reached, release } = heldStore('questionChanges');
  onTestFinished(() => release());
  const { flow } = flowFixture([], { store, clock, sweepMs, stopGraceMs: 700 });
  clock.advance(sweepMs);
  await reached;
  const closing = flow.close();
  await clock.timer(700);
  clock.advance(700);
  await closing;
});

/** A store with a method whose calls wait until they are released, and the names of the methods called. */
function heldStore(held: keyof FlowStore) {
  const store = sqliteStore({ path: ':memory:' });
  const calls: string[] = [];
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow = new Proxy(store, {
    get(target, name: keyof FlowStore) {
      const method: unknown = target[name];
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]) => {
        calls.push(name);
        const call = () => method.apply(target, parameters);
        if (name !== held) return call();
        reach();
        return released.then(call);
      };
    },
  });
  return { store: slow, calls, reached, release };
}
