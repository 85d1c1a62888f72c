import { fakeClock } from 'countersign/testing';
import { expect, it } from 'vitest';
import { createReaders } from '../../lib/log/follow/readers.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { untilIdle } from '../support/until-idle.ts';

const chat = parseChatId('chat');

/** Whether a promise has settled once nothing is left to run. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await untilIdle();
  return settled;
}

it('a start waits for a reader that requests more until it has been delivered [C3]', async () => {
  const readers = createReaders(fakeClock());
  const reader = readers.join(chat);
  reader.asks(4);
  const delivered = readers.delivered(chat, 5);
  expect(await isSettled(delivered)).toBe(false);
  reader.given();
  reader.asks(5);
  expect(await isSettled(delivered)).toBe(true);
});

it.each<{ who: string; prepare: (readers: ReturnType<typeof createReaders>) => void }>([
  { who: 'nobody', prepare: () => {} },
  { who: 'a reader of another chat', prepare: (readers) => readers.join(parseChatId('other')).asks(0) },
  { who: 'a reader that never started to read', prepare: (readers) => void readers.join(chat) },
  {
    who: 'a reader that is still processing events',
    prepare: (readers) => {
      const reader = readers.join(chat);
      reader.asks(1);
      reader.given();
    },
  },
  {
    who: 'one who left',
    prepare: (readers) => {
      const reader = readers.join(chat);
      reader.asks(1);
      reader.leave();
    },
  },
])('a start does not wait for $who [C3]', async ({ prepare }) => {
  const readers = createReaders(fakeClock());
  prepare(readers);
  expect(await isSettled(readers.delivered(chat, 5))).toBe(true);
});

it('a start waits no longer than a quarter of a second [C3]', async () => {
  const clock = fakeClock();
  const readers = createReaders(clock);
  readers.join(chat).asks(1);
  const delivered = readers.delivered(chat, 5);
  await clock.timer(250);
  clock.advance(250);
  expect(await isSettled(delivered)).toBe(true);
});
