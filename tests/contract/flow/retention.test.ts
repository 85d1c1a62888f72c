// depends on: only its imports
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { collect, fakeClock, type Script } from 'countersign/testing';
import { uiMessageChunks } from 'countersign/views';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId, parseChatId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';
import { serveFixture, userHeader } from '../../support/serve-fixture.ts';

const retentionMs = 60_000;
const words = 'nobody-may-keep-these-words';
const pay = { call: 'pay', input: { to: words, amount: 30 } };
const done = { text: 'Done.' };
const eve = { id: 'eve', name: 'Eve' };
const silent = { warn: () => {}, error: () => {} };

/** A flow on a clock that stands still, closed when the test has finished. */
function resting(script: Script, settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const fixture = flowFixture(script, { clock, retentionMs, logger: silent, ...settings });
  onTestFinished(() => fixture.flow.close());
  return { ...fixture, clock };
}

/** Another instance on the same store and clock. */
function another({ store, clock }: ReturnType<typeof resting>, script: Script = []) {
  const fixture = flowFixture(script, { store, clock, retentionMs, logger: silent });
  onTestFinished(() => fixture.flow.close());
  return fixture;
}

/** A store in a file, for those who look into it. */
function storeInFile() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-retention-'));
  const path = join(folder, 'store.db');
  const store = sqliteStore({ path });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return {
    store,
    holds: (text: string) =>
      readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(text)),
    erasures() {
      const db = new DatabaseSync(path, { readOnly: true });
      const rows = db.prepare('select chat_id, erased_by, at from erasures').all();
      db.close();
      return rows;
    },
  };
}

describe('the retention period', () => {
  it.each<[string, Script]>([
    ['idle', [[done]]],
    ['failed', [[{ error: new Error('down') }]]],
    ['waiting', [[pay]]],
  ])('erases a chat that is %s, with a sweep, after its end', async (status, script) => {
    const { store, holds, erasures } = storeInFile();
    const { flow, clock, id, say, view } = resting(script, { store });
    await say(words);
    expect((await view()).run.status).toBe(status);
    expect(holds(words)).toBe(true);

    clock.advance(retentionMs);
    await flow.recover();
    expect(await store.chats.head(id)).toBeDefined();

    clock.advance(1);
    await flow.recover();
    await expect(view()).rejects.toMatchObject({ code: 'not-found' });
    expect(await store.events.read(id, 0)).toEqual([]);
    expect(await store.questions.list({ state: 'open', limit: 9 })).toMatchObject({ items: [] });
    expect(await flow.chats.list({ principal: ada })).toEqual({ items: [] });
    expect(holds(words)).toBe(false);
    expect(erasures()).toEqual([{ chat_id: 'chat', erased_by: '"retention"', at: clock.now() }]);
  });

  it('is applied by the sweep of any instance, without a request', async () => {
    const world = resting([[done]], { sweepMs: retentionMs * 100 });
    const { store, clock, chat } = world;
    await chat().say(words);
    another(world);
    const { promise: erased, resolve } = Promise.withResolvers<string>();
    store.subscribe(({ chatId, reason }) => reason === 'erase' && resolve(chatId));
    clock.advance(retentionMs + 3_000);
    expect(await erased).toBe('chat');
  });

  it('starts again with each message', async () => {
    const { flow, clock, store, id, say } = resting([[done], [done]]);
    await say('First.');
    clock.advance(retentionMs);
    await say('Second.');
    clock.advance(retentionMs);
    await flow.recover();
    expect(await store.chats.head(id)).toBeDefined();
  });

  it('never erases a chat with an active run', async () => {
    const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
    const { flow, clock, read, store, id, ask, view } = resting([[{ wait }, done]]);
    const response = read(await ask({ message: userMessage('u', words) }));
    clock.advance(retentionMs * 3);
    await flow.recover();
    expect(await store.chats.head(id)).toMatchObject({ status: 'active' });
    goOn();
    await response;
    expect((await view()).run.status).toBe('idle');
  });

  it('keeps a chat that got a message during the sweep', async () => {
    const real = sqliteStore({ path: ':memory:' });
    let comeBack = async () => {};
    const store: FlowStore = {
      ...real,
      chats: {
        ...real.chats,
        stale: async (before, limit) => {
          const stale = await real.chats.stale(before, limit);
          await comeBack();
          return stale;
        },
      },
    };
    const { flow, clock, id, say } = resting([[done], [done]], { store, sweepMs: retentionMs * 100 });
    await say('First.');
    clock.advance(retentionMs + 1);
    comeBack = async () => {
      expect(await real.chats.stale(clock.now() - retentionMs, 9)).toEqual([id]);
      await say('I am back.');
    };
    await flow.recover();
    expect(await store.chats.head(id)).toMatchObject({ status: 'idle' });
  });

  it('is unlimited unless it is set', async () => {
    const { flow, clock, store, id, say } = resting([[done]], { retentionMs: undefined });
    await say('Hello.');
    clock.advance(100 * 365 * 86_400_000);
    await flow.recover();
    expect(await store.chats.head(id)).toBeDefined();
  });
});

describe('erasing a chat', () => {
  it('leaves nothing of it in the files, except that it existed and who erased it', async () => {
    const { store, holds, erasures } = storeInFile();
    const { flow, clock, id, say, answer } = resting([[{ text: words }, pay], [done]], { store });
    const approvalId = questionIn(await say(words));
    await answer(approvalId, false, { reason: words });
    expect(holds(words)).toBe(true);
    await flow.chats.erase({ principal: ada, chatId: id });
    expect(holds(words)).toBe(false);
    expect(holds(approvalId)).toBe(false);
    expect(erasures()).toEqual([{ chat_id: 'chat', erased_by: '"ada"', at: clock.now() }]);
  });

  it('withdraws its open question first', async () => {
    const { flow, ran, id, say } = resting([[pay]]);
    const approvalId = parseApprovalId(questionIn(await say('Pay.')));
    await flow.chats.erase({ principal: ada, chatId: id });
    const gone = { code: 'not-found' };
    await expect(flow.approvals.read({ principal: ada, approvalId })).rejects.toMatchObject(gone);
    const answer = { principal: ada, approvalId, approved: true, via: 'http' };
    await expect(flow.approvals.answer(answer)).rejects.toMatchObject(gone);
    expect(ran).toEqual([]);
  });

  it('stops its run first, and disconnects its readers', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { flow, read, model, id, ask, view, resume } = resting(() => {
      begin();
      return [{ text: 'I ' }, { wait: new Promise(() => {}) }];
    });
    const responses = [read(await ask({ message: userMessage('u', words) })), resume()];
    await begun;
    await flow.chats.erase({ principal: ada, chatId: id });
    for (const response of await Promise.all(responses)) expect(response).toBeDefined();
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true);
    await expect(view()).rejects.toMatchObject({ code: 'not-found' });
    expect(await resume()).toBeNull();
  });

  it('is not undone by a tool that ends later', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<string>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { clock, flow, store, read, id, ask } = resting([[{ call: 'weather', input: { city: words } }]], {
      stopGraceMs: 5_000,
      tools: slowWeather(begin, finished),
    });
    const response = read(await ask({ message: userMessage('u', words) }));
    await begun;
    const erased = flow.chats.erase({ principal: ada, chatId: id });
    await clock.timer(5_000);
    clock.advance(5_000);
    await erased;
    finish(words);
    await response;
    await flow.close();
    expect(await store.chats.head(id)).toBeUndefined();
    expect(await store.events.read(id, 0)).toEqual([]);
  });

  it('on another instance ends the run and its readers here, and discards the run’s later events', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<string>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const world = resting([[{ call: 'weather', input: { city: words } }], [done]], {
      tools: slowWeather(begin, finished),
    });
    const { store, flow, read, model, id, ask } = world;
    const response = read(await ask({ message: userMessage('u', words) }));
    await begun;
    await another(world).flow.chats.erase({ principal: ada, chatId: id });
    await response;
    finish(words);
    await flow.close();
    expect(model.calls).toHaveLength(1);
    expect(await store.chats.head(id)).toBeUndefined();
    expect(await store.events.read(id, 0)).toEqual([]);
  });

  it('on another instance stops the tool that runs here, without waiting for a heartbeat', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async (_input, { abortSignal }) => {
        abortSignal?.addEventListener('abort', () => stop());
        begin();
        await stopped;
      },
    });
    const world = resting([[{ call: 'weather', input: { city: 'Rome' } }]], {
      tools: { weather } as ToolSet,
    });
    const { id, ask } = world.chat();
    const response = world.read(await ask({ message: userMessage('u', 'Hello.') }));
    await begun;
    await world.store.chats.erase(id, 'another instance', 0);
    await expect(stopped).resolves.toBeUndefined();
    await response;
  });

  it('over HTTP returns 204, and 404 from then on, and a stranger gets 404 immediately [H4]', async () => {
    const { chat, api } = await serveFixture([[done]]);
    await chat().say('Hello.');
    const json = { 'content-type': 'application/json' };
    const erase = (headers = {}) =>
      fetch(`${api}/chat`, { method: 'DELETE', headers: { ...json, ...headers } });
    expect((await erase({ [userHeader]: 'eve' })).status).toBe(404);
    expect((await erase()).status).toBe(204);
    expect((await erase()).status).toBe(404);
    for (const path of ['', '/audit']) expect((await fetch(`${api}/chat${path}`)).status).toBe(404);
    expect((await fetch(`${api}/chat/stream`)).status).toBe(204);
    expect(await (await fetch(api)).json()).toEqual({ chats: [] });
  });
});

describe('the id of an erased chat', () => {
  it('may be used again, and the new chat shows nothing of the old one', async () => {
    const { flow, model, id, say, view } = resting([[{ text: words }], [done]]);
    await say(words);
    await flow.chats.erase({ principal: ada, chatId: id });
    await say('Hello again.');
    expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain(words);
    expect((await view()).messages).toHaveLength(2);
    expect((await view()).title).toBe('Hello again.');
  });

  it.each<[string, (store: FlowStore) => FlowStore]>([
    ['is notified', (store) => store],
    [
      'is not notified',
      (store) => ({
        ...store,
        subscribe: (listener) => store.subscribe((wake) => wake.reason !== 'erase' && listener(wake)),
      }),
    ],
  ])('may be used again on an instance that knew the old chat and %s', async (_name, hearing) => {
    const clock = fakeClock();
    const store = sqliteStore({ path: ':memory:' });
    const here = resting([[{ text: words }], [{ text: words }], [done]], { store: hearing(store), clock });
    const { id, say } = here.chat();
    await say(words);
    await say(words);
    const there = flowFixture([[done]], { store, clock });
    await there.flow.chats.erase({ principal: ada, chatId: id });
    clock.advance(1);
    await there.chat().say('Hello again.');
    await there.flow.close();
    await here.read(await here.chat().ask({ message: userMessage('later', 'And again.') }));
    const prompt = JSON.stringify(here.model.calls[2]?.prompt);
    expect(prompt).not.toContain(words);
    expect(prompt).toContain('Hello again.');
  });

  it('may be used by someone else, whose chat an old reader never sees', async () => {
    const world = resting([[{ text: 'Mine.' }, { wait: new Promise(() => {}) }]]);
    const { store, id, ask } = world;
    const stream = await ask({ message: userMessage('u', 'Hello.') });
    const response = collect(uiMessageChunks(stream));
    await store.chats.erase(id, 'somebody', 0);
    const theirs = another(world, [[{ text: words }], [{ text: words }], [{ text: words }]]).chat(
      'chat',
      eve,
    );
    for (const message of ['One.', 'Two.', 'Three.']) await theirs.say(message);
    expect((await theirs.view()).messages).toHaveLength(6);
    expect(JSON.stringify(await response)).not.toContain(words);
    expect(await store.chats.head(parseChatId('chat'))).toMatchObject({ ownerId: 'eve' });
  });
});

/** A tool that does not listen to its abort signal. */
function slowWeather(begin: () => void, finished: Promise<string>): ToolSet {
  const execute = async () => {
    begin();
    return finished;
  };
  return { weather: tool({ inputSchema: z.object({ city: z.string() }), execute }) };
}
