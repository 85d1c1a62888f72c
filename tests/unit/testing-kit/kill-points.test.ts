import { sqliteStore } from 'countersign/store';
import {
  dyingStore,
  formatKillPoint,
  interceptedStore,
  type KillPoint,
  killingStore,
  parseKillPoint,
} from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const points: readonly (readonly [text: string, point: KillPoint])[] = [
  ['before:3', { when: 'before', append: 3 }],
  ['after:1:chat-7', { when: 'after', append: 1, chatId: 'chat-7' }],
  ['after:tool-started', { when: 'after', event: 'tool-started' }],
  ['before:run-started.2:chat', { when: 'before', event: 'run-started', nth: 2, chatId: 'chat' }],
];

const script = [[{ call: 'pay', input: { to: 'alice', amount: 1 } }], [{ text: 'Paid.' }]];

/** Plays a payment on a store that dies, and gives the log that it leaves. */
async function logAfter(point: KillPoint) {
  const store = sqliteStore({ path: ':memory:' });
  const dying = dyingStore(store, point);
  const { flow, ran, say, answer, id } = flowFixture(script, { store: dying.store });
  void say('Pay.').then((asked) => answer(questionIn(asked), true));
  await dying.died;
  const log = (await store.events.read(id, 0)).map(({ type }) => type);
  void flow.close();
  return { log, ran };
}

describe('kill points', () => {
  it.each(points)('%s can be sent as text', (text, point) => {
    expect(formatKillPoint(point)).toBe(text);
    expect(parseKillPoint(text)).toEqual(point);
  });

  it.each(['', 'during:1', 'before:0', 'before:x', 'after:1:a:b'])('refuses %j', (text) => {
    expect(() => parseKillPoint(text)).toThrow('Not a kill point');
  });

  it('kills before a named event: the call never ran', async () => {
    const { log, ran } = await logAfter({ when: 'before', event: 'tool-started' });
    expect(log).not.toContain('tool-started');
    expect(ran).toEqual([]);
  });

  it('kills after a named event, which is the last one that is written', async () => {
    const { log } = await logAfter({ when: 'after', event: 'tool-started' });
    expect(log.at(-1)).toBe('tool-started');
  });

  it('kills at the second event of a type', async () => {
    const { log } = await logAfter({ when: 'before', event: 'run-started', nth: 2 });
    expect(log.filter((type) => type === 'run-started')).toHaveLength(1);
    expect(log.at(-1)).toBe('run-suspended');
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('kills the process %s an append: %i appends are written', async (when, written) => {
    const appended: string[] = [];
    const inner = interceptedStore(
      sqliteStore({ path: ':memory:' }),
      () => {},
      ({ chatId }) => appended.push(chatId),
    );
    const die = (): never => {
      throw new Error('Killed.');
    };
    const { chat } = flowFixture(script, { store: killingStore(inner, { when, append: 1 }, die) });
    await expect(chat().say('Pay.')).rejects.toThrow('Killed.');
    expect(appended).toHaveLength(written);
  });
});
