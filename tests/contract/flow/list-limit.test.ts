import type { Principal } from 'countersign';
import { expect, it, onTestFinished } from 'vitest';
import { ada, flowFixture } from '../../support/flow-fixture.ts';

const eve: Principal = { id: 'eve', name: 'Eve' };

it('reads few lists of one person at the same time, and delays no list of another person', async () => {
  const held = Promise.withResolvers<void>();
  let evaluated = 0;
  const { flow, chat } = flowFixture([[{ call: 'pay', input: { to: 'alice', amount: 30 } }]], {
    mayAnswer: async ({ id }) => {
      if (id !== 'eve') return true;
      evaluated += 1;
      await held.promise;
      return false;
    },
  });
  onTestFinished(() => flow.close());
  await chat().say('Pay.');
  const list = (principal: Principal, state: 'open' | 'settled' = 'open') =>
    flow.approvals.list({ principal, state });
  const lists = Array.from({ length: 100 }, () => list(eve));
  expect((await list(ada)).items).toHaveLength(1);
  expect((await list(ada, 'settled')).items).toEqual([]);
  expect(evaluated).toBe(4);
  held.resolve();
  const pages = await Promise.all(lists);
  expect(pages.map(({ items }) => items)).toEqual(lists.map(() => []));
  expect(evaluated).toBe(100);
});

it('reads the next list of a person after one that failed', async () => {
  const { flow } = flowFixture([]);
  onTestFinished(() => flow.close());
  const failed = Array.from({ length: 6 }, () => flow.approvals.list({ principal: ada, cursor: 'forged' }));
  for (const each of failed) await expect(each).rejects.toMatchObject({ code: 'invalid-request' });
  expect((await flow.approvals.list({ principal: ada })).items).toEqual([]);
});
