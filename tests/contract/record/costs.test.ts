import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const weather = { call: 'weather', input: { city: 'Rome' } };

/** How often a turn with a call that runs at once, a question and its answer asks the store. */
async function costOf(auditKey: string | undefined) {
  const real = sqliteStore({ path: ':memory:' });
  const counts = { append: 0, read: 0, head: 0 };
  const counted =
    <Given extends unknown[], Result>(name: keyof typeof counts, method: (...given: Given) => Result) =>
    (...given: Given) => {
      counts[name] += 1;
      return method(...given);
    };
  const store = {
    ...real,
    append: counted('append', real.append),
    events: { read: counted('read', real.events.read) },
    chats: { ...real.chats, head: counted('head', real.chats.head) },
  };
  const { flow, chat } = flowFixture([[weather, pay], [{ text: 'Done.' }]], {
    store,
    auditKey,
    clock: fakeClock(),
  });
  onTestFinished(() => flow.close());
  await chat().answer(questionIn(await chat().say('Pay.')), true);
  return counts;
}

it('a key costs no append and no read if one process asks, is answered and executes', async () => {
  expect(await costOf('an audit key for tests')).toEqual(await costOf(undefined));
});
