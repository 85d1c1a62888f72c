import { interceptedStore } from 'countersign/testing';
import { expect, it } from 'vitest';
import { passTime } from '../../support/pass-time.ts';
import { skewedInstances } from '../../support/skewed-instances.ts';

it('a call whose start was written just before the store’s time became unknown waits, and runs once', async () => {
  const weather = { call: 'weather', input: { city: 'Rome' } };
  const world = skewedInstances({
    script: ({ prompt }) => (prompt.at(-1)?.role === 'user' ? [weather] : [{ text: 'Sunny.' }]),
  });
  const { clock, time } = world;
  const started = Promise.withResolvers<void>();
  const store = interceptedStore(
    world.store,
    () => {},
    ({ events }) => {
      if (!events.some(({ type }) => type === 'tool-started')) return;
      time.cut();
      started.resolve();
    },
  );
  const { chat, ran } = world.instance(0, { store });
  const response = chat().say('How is it?');
  await started.promise;
  const claimed = world.claims();
  await passTime(clock, 3_000, 50);
  expect(ran).toEqual([]);
  expect(world.claims()).toBe(claimed);
  // It asks at times, and in no hurry.
  expect(time.measures()).toBeLessThan(20);
  time.heal();
  await passTime(clock, 2_000, 50);
  expect((await response).at(-1)).toMatchObject({ type: 'finish' });
  expect(ran).toHaveLength(1);
});
