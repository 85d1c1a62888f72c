import type { FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { rememberedSchema } from '../../lib/plugins/remembered/endpoints.ts';
import { clientMessage } from '../support/client-message.ts';
import { questionIn, types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

const pay = (amount: number, to = 'alice') => ({ call: 'pay', input: { to, amount } });
const done = { text: 'Done.' };
const everyPayment = { plugins: { remembered: { scope: 'me', match: 'tool' } } };
const thisPayment = { plugins: { remembered: { scope: 'me', match: 'exact-arguments' } } };
const payOnce: ScriptedStep[] = [[pay(5)], [done]];

/** Chats of Ada's behind real servers. The model asks to pay, again and again. */
async function served(connect: ConnectRaw, script: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const fixture = await serveFixture([...script, ...script, ...script], {
    auditKey: 'a key of the test only',
    plugins: [remembered()],
    ...settings,
  });
  const client = await connect(fixture.url);
  const send = async (user: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${fixture.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', [userHeader]: user },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    ...fixture,
    chat: (id = 'chat') => rawChat(client, id),
    send,
    rememberedBy: async (user: string): Promise<z.infer<typeof rememberedSchema>['remembered']> =>
      (await send(user, 'GET', '/remembered')).body.remembered,
  };
}

describe.each(modes)('%s: a remembered approval', (_mode, connect) => {
  it('answers later questions of the person, and is shown as an automatic approval', async () => {
    const { chat, ran, rememberedBy } = await served(connect, payOnce);
    const first = chat();
    await first.answer(questionIn(await first.say('Pay.')), true, everyPayment);
    const [grant] = await rememberedBy('ada');
    expect(grant).toMatchObject({ toolName: 'pay', scope: 'me', match: 'tool', uses: 0 });

    const again = chat('another');
    const chunks = await again.say('Pay.');
    expect(types(chunks)).toContain('tool-output-available');
    const approval = chunks.filter(({ type }) => type.startsWith('tool-approval'));
    expect(approval).toMatchObject([
      { type: 'tool-approval-request', isAutomatic: true },
      { type: 'tool-approval-response', approved: true, reason: expect.stringMatching(/Remembered: Ada/) },
    ]);
    expect(ran).toHaveLength(2);
    expect(await rememberedBy('ada')).toMatchObject([
      { id: grant?.id, uses: 1, lastUsedAt: expect.stringMatching(/Z$/) },
    ]);
  });

  it('covers the second of two calls that were made at once', async () => {
    const { chat, ran } = await served(connect, [[pay(1), pay(2)], [done]]);
    const { say, answer } = chat();
    const released = await answer(questionIn(await say('Pay.')), true, everyPayment);
    expect(types(released)).toContain('finish');
    expect(types(released).filter((type) => type === 'tool-output-available')).toHaveLength(2);
    expect(ran).toHaveLength(2);
  });

  it('results in the same message live, replayed and stored', async () => {
    const { chat, url } = await served(connect, [[pay(1), pay(2)], [done]]);
    const { id, say, answer, resume } = chat();
    const client = clientMessage();
    const asked = await say('Pay.');
    await client.read(asked);
    client.answer(questionIn(asked), true);
    await client.read(await answer(questionIn(asked), true, everyPayment));
    const stored = (await (await fetch(`${url}/api/chat/${id}`)).json()).messages.at(-1);
    expect(stored).toEqual(client.value);
    const replayed = clientMessage();
    await replayed.read((await resume()) ?? []);
    expect(replayed.value).toEqual(stored);
  });

  it('for exact arguments covers those that ran, and no others', async () => {
    const script = [[pay(9)], [done], [pay(5)], [done], [pay(9)], [pay(5, 'bob')]];
    const { chat, ran, rememberedBy } = await served(connect, script);
    const { say, answer } = chat();
    const edited = { input: { amount: 5, to: 'alice' }, ...thisPayment };
    await answer(questionIn(await say('Pay.')), true, edited);
    expect(await rememberedBy('ada')).toMatchObject([{ input: { to: 'alice', amount: 5 } }]);
    expect(types(await say('Pay.'))).toContain('tool-output-available');
    expect(questionIn(await say('Pay.'))).toBeDefined();
    expect(questionIn(await say('Pay.'))).toBeDefined();
    expect(ran).toMatchObject([{ input: { amount: 5 } }, { input: { amount: 5 } }]);
  });

  it('for one chat covers no other, and is erased with it', async () => {
    const { chat, ran, rememberedBy, send } = await served(connect, [
      [pay(5)],
      [done],
      [pay(5)],
      [pay(5)],
      [done],
      [pay(5)],
    ]);
    const remember = { scope: 'chat', match: 'tool' };
    const here = chat();
    await here.answer(questionIn(await here.say('Pay.')), true, { plugins: { remembered: remember } });
    expect(questionIn(await chat('elsewhere').say('Pay.'))).toBeDefined();
    expect(types(await here.say('Pay again.'))).toContain('tool-output-available');
    expect(await rememberedBy('ada')).toMatchObject([{ scope: 'chat', chatId: 'chat', uses: 1 }]);
    expect((await send('ada', 'DELETE', '/chat/chat')).status).toBe(204);
    expect(await rememberedBy('ada')).toEqual([]);
    expect(ran).toHaveLength(2);
    expect(questionIn(await here.say('Pay.'))).toBeDefined();
  });

  it('cannot be used, seen or revoked by another person', async () => {
    const { chat, url, ran, rememberedBy, send } = await served(connect, payOnce);
    const ada = chat();
    await ada.answer(questionIn(await ada.say('Pay.')), true, everyPayment);
    const [grant] = await rememberedBy('ada');
    const bob = rawChat(await connect(url, 'bob'), 'chat-of-bob');
    expect(questionIn(await bob.say('Pay.'))).toBeDefined();
    expect(await rememberedBy('bob')).toEqual([]);
    expect((await send('bob', 'DELETE', `/remembered/${grant?.id}`, {})).status).toBe(404);
    expect(await rememberedBy('ada')).toHaveLength(1);
    expect(ran).toHaveLength(1);
  });

  it('no longer applies after it is revoked', async () => {
    const { chat, ran, rememberedBy, send } = await served(connect, payOnce);
    const { say, answer } = chat();
    await answer(questionIn(await say('Pay.')), true, everyPayment);
    const [grant] = await rememberedBy('ada');
    const forget = () => send('ada', 'DELETE', `/remembered/${grant?.id}`, {});
    expect((await forget()).status).toBe(204);
    expect((await forget()).status).toBe(404);
    expect(questionIn(await say('Pay.'))).toBeDefined();
    expect(await rememberedBy('ada')).toEqual([]);
    expect(ran).toHaveLength(1);
  });

  const four: Partial<FlowSettings> = {
    mayChange: () => true,
    mayAnswer: () => true,
  };

  it.each<[string, Partial<FlowSettings>, boolean, string, unknown, RegExp]>([
    [
      'a tool that is never remembered',
      { toolDetails: { pay: { remembered: false } } },
      true,
      'ada',
      everyPayment.plugins.remembered,
      /each call of pay/,
    ],
    ['a denial', {}, false, 'ada', everyPayment.plugins.remembered, /denial/],
    [
      'someone who did not ask',
      four,
      true,
      'bob',
      everyPayment.plugins.remembered,
      /only the person who asked/,
    ],
    ['an unknown scope', {}, true, 'ada', { scope: 'all', match: 'tool' }, /scope/],
    ['an unknown match', {}, true, 'ada', { scope: 'me', match: 'similar' }, /match/],
    ['no object', {}, true, 'ada', true, /scope/],
  ])('is refused for %s, and nothing runs', async (_why, settings, approved, user, remember, words) => {
    const { chat, url, ran, send, rememberedBy } = await served(connect, payOnce, settings);
    const asked = await chat().say('Pay.');
    const id = questionIn(asked);
    const theirs = rawChat(await connect(url, user));
    await expect(theirs.answer(id, approved, { plugins: { remembered: remember } })).rejects.toMatchObject({
      code: 'invalid-request',
      error: { message: expect.stringMatching(words) },
    });
    const overHttp = await send(user, 'POST', `/approvals/${id}`, {
      approved,
      plugins: { remembered: remember },
    });
    expect([overHttp.status, overHttp.body.error.message]).toEqual([400, expect.stringMatching(words)]);
    expect(ran).toEqual([]);
    expect(await rememberedBy(user)).toEqual([]);
  });

  it('also applies over HTTP, where no one reads the response', async () => {
    const { chat, ran, send, rememberedBy } = await served(connect, [[pay(1), pay(2)], [done]]);
    const { say, resume } = chat();
    const id = questionIn(await say('Pay.'));
    expect((await send('ada', 'POST', `/approvals/${id}`, { approved: true, ...everyPayment })).status).toBe(
      200,
    );
    await expect.poll(async () => types((await resume()) ?? [])).toContain('tool-output-available');
    expect(ran).toHaveLength(2);
    expect(await rememberedBy('ada')).toMatchObject([{ approvalId: id, uses: 1 }]);
  });

  it('hands a client’s call over without a question', async () => {
    const locate = { call: 'locate', input: {} };
    const { chat } = await served(connect, [[locate], [locate], [done]]);
    const { say, answer, output } = chat();
    const asked = await say('Where?');
    const approved = await answer(questionIn(asked), true, everyPayment);
    expect(types(approved)).toContain('tool-approval-response');
    const next = await output(callIn(asked), { lat: 1 });
    expect(next.filter(({ type }) => type === 'tool-approval-request')).toMatchObject([
      { isAutomatic: true },
    ]);
    expect(types(await output(callIn(next), { lat: 2 }))).toContain('text-delta');
  });
});

function callIn(chunks: readonly { type: string }[]): string {
  const shown = chunks.findLast(({ type }) => type === 'tool-input-available');
  if (!shown || !('toolCallId' in shown)) throw new Error('No call is shown.');
  return String(shown.toolCallId);
}
