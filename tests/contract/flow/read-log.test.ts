import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { expect, it, onTestFinished } from 'vitest';
import { redactEvents } from '../../../lib/views/reader/redact-events.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';

const script = [[{ text: 'One.' }], [{ text: 'Two.' }]];

/** A flow that counts the events that it reads from its store. */
function counted() {
  const inner = sqliteStore({ path: ':memory:' });
  let events = 0;
  const store: FlowStore = {
    ...inner,
    events: {
      ...inner.events,
      async read(...place) {
        const found = await inner.events.read(...place);
        events += found.length;
        return found;
      },
    },
  };
  const fixture = flowFixture(script, { store, sweepMs: 3_600_000 });
  onTestFinished(async () => {
    await fixture.flow.close();
    await inner.close();
  });
  const { id, say } = fixture.chat();
  return {
    inner,
    id,
    say,
    async log() {
      const before = events;
      const log = await fixture.flow.chats.timeline({ chatId: id, principal: ada });
      return { log, read: events - before };
    },
  };
}

it('reads the events of earlier turns from the store, and those of the turn written here from memory', async () => {
  const { inner, id, say, log } = counted();
  await say('First.');
  const first = await log();
  expect(first.log).toEqual(redactEvents(await inner.events.read(id, 0)));
  expect(first.read).toBe(0);
  await say('Second.');
  const second = await log();
  expect(second.log).toEqual(redactEvents(await inner.events.read(id, 0)));
  expect(second.read).toBe(first.log.length);
});

it('reads a turn that another instance has continued from the store', async () => {
  const { inner, id, say, log } = counted();
  await say('First.');
  const other = flowFixture([[{ text: 'Elsewhere.' }]], { store: inner, sweepMs: 3_600_000 });
  onTestFinished(() => other.flow.close());
  await other.chat().say('Second.', { message: userMessage('elsewhere', 'Second.') });
  const { log: events, read } = await log();
  expect(events.filter(({ type }) => type === 'message-received')).toHaveLength(2);
  expect(read).toBe((await inner.events.read(id, 0)).length);
});
