import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store-port.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const weather = { call: 'weather', input: { city: 'Rome' } };

/** How often a turn with a call that runs at once, a question and its answer asks the store. */
async function costOf(auditKey: string | undefined) {
  const real = sqliteStore({ path: ':memory:' });
  const counts = { append: 0, read: 0, head: 0 };
  const counted = <Name extends keyof typeof counts>(name: Name) =>
    ((...args: never[]) => {
      counts[name] += 1;
      return (real[name] as (...given: never[]) => unknown)(...args);
    }) as FlowStore[Name];
  const store = { ...real, append: counted('append'), read: counted('read'), head: counted('head') };
  const { flow, chat } = flowFixture([[weather, pay], [{ text: 'Done.' }]], {
    store,
    auditKey,
    clock: fakeClock(),
  });
  onTestFinished(() => flow.close());
  await chat().answer(questionIn(await chat().say('Pay.')), true);
  return counts;
}

it('a key costs no append and no read where one process asks, is answered and executes', async () => {
  expect(await costOf('an audit key for tests')).toEqual(await costOf(undefined));
});
