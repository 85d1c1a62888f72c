import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { flowFixture } from '../../support/flow-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';

const sweepMs = 3_000;

it('waits for the sweep that has begun, which is the last, and withdraws its reports after it', async () => {
  const clock = fakeClock();
  const { store, calls, reached, release } = heldStore();
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
  expect(calls).toEqual(['announce', 'retire']);
  store.close();
  clock.advance(10 * sweepMs);
  await untilIdle();
  expect(warnings).toEqual([]);
});

it('waits no longer than the grace period for a sweep that does not end', async () => {
  const clock = fakeClock();
  const { store, reached, release } = heldStore();
  onTestFinished(() => release());
  const { flow } = flowFixture([], { store, clock, sweepMs, stopGraceMs: 700 });
  clock.advance(sweepMs);
  await reached;
  const closing = flow.close();
  await clock.timer(700);
  clock.advance(700);
  await closing;
});

/** A store whose feed of questions waits until it is released, and the reports of instances that it gets. */
function heldStore() {
  const inner = sqliteStore({ path: ':memory:' });
  const calls: string[] = [];
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { instances, questions } = inner;
  const store: FlowStore = {
    ...inner,
    questions: {
      ...questions,
      changes(...given) {
        reach();
        return released.then(() => questions.changes(...given));
      },
    },
    instances: {
      announce(...given) {
        calls.push('announce');
        return instances.announce(...given);
      },
      retire(id) {
        calls.push('retire');
        return instances.retire(id);
      },
    },
  };
  return { store, calls, reached, release };
}
