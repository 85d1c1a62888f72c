import { tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Append, FlowStore, StoreChange } from '../../../lib/log/store/index.ts';
import { barrier } from '../../support/barrier.ts';
import { ada, flowFixture, types } from '../../support/flow-fixture.ts';

/** A store whose notifications of erasures arrive when the test says so. */
function erasuresHeardLate(before: (batch: Append) => Promise<void> | void = () => {}) {
  const store = sqliteStore({ path: ':memory:' });
  const listeners = new Set<(wake: StoreChange) => void>();
  const held: StoreChange[] = [];
  const late: FlowStore = {
    ...store,
    async append(batch) {
      await before(batch);
      return store.append(batch);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  store.subscribe((wake) => {
    if (wake.reason === 'erase') held.push(wake);
    else for (const listener of listeners) listener(wake);
  });
  return {
    store: late,
    arrive: () => {
      for (const wake of held.splice(0)) for (const listener of [...listeners]) listener(wake);
    },
  };
}

it('a late notification of an erasure does not end the response of a new chat with the same id', async () => {
  const { store, arrive } = erasuresHeardLate();
  const speaking = barrier();
  const script = [[{ text: 'One.' }], [{ text: 'Two' }, { wait: speaking.wait }, { text: ' and three.' }]];
  const { flow, chat, read } = flowFixture(script, { store });
  await chat().say('Hello.');
  await flow.chats.erase({ principal: ada, chatId: chat().id });
  const response = await chat().ask({
    message: { id: 'again' as never, parts: [{ type: 'text', text: 'Again.' }] },
  });
  const chunks = read(response);
  arrive();
  await store.chats.head(chat().id);
  speaking.lift();
  expect(types(await chunks)).toContain('text-delta');
  expect((await chat().view()).run.status).toBe('idle');
  await flow.close();
});

it('a late notification of an erasure does not stop the first run of a new chat with the same id', async () => {
  let beginning: { come: () => void; goes: Promise<void> } | undefined;
  const { store, arrive } = erasuresHeardLate(async () => {
    beginning?.come();
    await beginning?.goes;
  });
  const { flow, chat, read } = flowFixture([[{ text: 'One.' }], [{ text: 'Two.' }]], { store });
  await chat().say('Hello.');
  await flow.chats.erase({ principal: ada, chatId: chat().id });
  const [come, go] = [barrier(), barrier()];
  beginning = { come: come.lift, goes: go.wait };
  const response = chat().ask({
    message: { id: 'again' as never, parts: [{ type: 'text', text: 'Again.' }] },
  });
  await come.wait;
  arrive();
  await store.chats.head(chat().id);
  go.lift();
  expect(types(await read(await response))).toContain('text-delta');
  await flow.close();
});

it('ends a run whose chat another instance erases while its call starts', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const erasing: FlowStore = {
    ...store,
    async append(batch) {
      const result = await store.append(batch);
      const isStart = batch.events.some(({ type }) => type === 'tool-started');
      if (isStart) await store.chats.erase(batch.chatId, ada.id, batch.head.updatedAt);
      return result;
    },
  };
  const act = tool({ inputSchema: z.looseObject({}), execute: () => 'done' });
  const script = [[{ call: 'act', id: 'act-1' }], [{ text: 'Done.' }]];
  const logger = { warn: () => {}, error: () => {} };
  const { flow, chat, model } = flowFixture(script, { store: erasing, tools: { act }, logger });
  await chat().say('Act.');
  await flow.close();
  expect(model.calls).toHaveLength(1);
  expect(await store.chats.head(chat().id)).toBeUndefined();
});
