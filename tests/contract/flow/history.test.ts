import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { UIMessageChunk } from 'ai';
import { sqliteStore } from 'countersign/store';
import { collect, distantStore, type ScriptedPart, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { parseApprovalId, parseMessageId, type UserPart } from '../../../lib/protocol/index.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, lasting, questionIn, types, userMessage } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };
const regenerate = { trigger: 'regenerate-message' as const };

/** The texts of a prompt, by role: what the model got, in short. */
function textsOf(options: LanguageModelV4CallOptions | undefined): string[] {
  return (options?.prompt ?? []).map(({ role, content }) => {
    if (typeof content === 'string') return `${role}: ${content}`;
    const texts = content.map((part) => (part.type === 'text' ? part.text : part.type));
    return `${role}: ${texts.join(', ')}`;
  });
}

function held() {
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  return { open, release };
}

describe('while a run is active [H6]', () => {
  it.each<[string, object]>([
    ['a new message', { message: userMessage('late', 'Hello?') }],
    ['an edit', { message: userMessage('user-1', 'Edited.'), messageId: parseMessageId('user-1') }],
    ['an edit without its id', { message: userMessage('user-1', 'Edited.') }],
    ['a regenerate', regenerate],
  ])('refuses %s as run-active, and changes nothing [H6]', async (_case, request) => {
    const { open, release } = held();
    const { ask, events } = flowFixture([[{ wait: open }, { text: 'Hello.' }]]);
    const running = await ask({ message: userMessage('user-1', 'Hi.') });
    const before = await events();
    await expect(ask(request)).rejects.toMatchObject({ code: 'run-active', fields: { chatId: 'chat' } });
    expect((await events()).slice(0, before.length)).toEqual(before);
    expect((await events()).filter((event) => event.type === 'message-received')).toHaveLength(1);
    release();
    expect(types(await collect(uiMessageChunks(running)))).toContain('text-start');
  });

  it('joins its response when the same message is sent again [H1]', async () => {
    const { open, release } = held();
    const { model, ask } = flowFixture([[{ wait: open }, { text: 'Hello.' }]]);
    const first = await ask({ message: userMessage('user-1', 'Hi.') });
    const second = await ask({ message: userMessage('user-1', 'Hi.') });
    release();
    const [one, two] = await Promise.all([first, second].map((stream) => collect(uiMessageChunks(stream))));
    expect(lasting(two ?? [])).toEqual(lasting(one ?? []));
    expect(model.calls).toHaveLength(1);
  });

  it.each<[string, readonly number[]]>([
    ['of a new chat', [0]],
    ['of a chat with a history', [0]],
    ['of a chat with a history, far from the store', [5, 0, 11, 2, 7]],
    ['of a chat with a history, farther from the store', [13, 1, 0, 4]],
  ])('starts one turn when the same message %s is sent many times at once [H1]', async (which, delays) => {
    const store = distantStore(sqliteStore({ path: ':memory:' }), delays);
    const { model, say, ask, events } = flowFixture((_options, number) => [{ text: `Reply ${number}.` }], {
      store,
    });
    if (which !== 'of a new chat') await say('Before.');
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => ask({ message: userMessage('same', 'Hi.') })),
    );
    const responses = await Promise.all(streams.map((stream) => collect(uiMessageChunks(stream))));
    for (const response of responses) expect(lasting(response)).toEqual(lasting(responses[0] ?? []));
    const received = (await events()).filter((event) => event.type === 'message-received');
    expect(
      received.filter((event) => event.type === 'message-received' && event.messageId === 'same'),
    ).toHaveLength(1);
    expect(model.calls).toHaveLength(received.length);
  });

  it('starts one turn and one model call for two different messages at once [H6]', async () => {
    const { model, ask, events } = flowFixture((_options, number) => [{ text: `Reply ${number}.` }]);
    const results = await Promise.allSettled(
      ['one', 'two'].map(async (id) => collect(uiMessageChunks(await ask({ message: userMessage(id, id) })))),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'run-active' },
    });
    expect((await events()).filter((event) => event.type === 'run-started')).toHaveLength(1);
    expect(model.calls).toHaveLength(1);
  });
});

describe('regenerating and editing [H7]', () => {
  /** A chat of two answered messages. */
  async function twoTurns(more: ScriptedStep[] = [[{ text: 'Again.' }]]) {
    const fixture = flowFixture([[{ text: 'One.' }], [{ text: 'Two.' }], ...more]);
    const chat = fixture.chat();
    await chat.say('First?');
    await chat.say('Second?');
    const messages = (await chat.view()).messages.map(({ id }) => parseMessageId(id));
    const read = async (request: object) => fixture.read(await chat.ask(request));
    return { ...fixture, ...chat, messages, read };
  }
  const texts = (chunks: readonly UIMessageChunk[]) =>
    chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []));
  const kept = (view: { messages: readonly { parts: readonly { type: string; text?: string }[] }[] }) =>
    view.messages.flatMap(({ parts }) => parts.flatMap(({ text }) => (text === undefined ? [] : [text])));

  it.each<[string, (ids: readonly string[]) => object]>([
    ['without a messageId', () => ({})],
    ['with the assistant message’s id', (ids) => ({ messageId: ids[3] })],
    ['with the user message’s id', (ids) => ({ messageId: ids[2] })],
    ['with the last user message', (ids) => ({ message: userMessage(ids[2] ?? '', 'Second?') })],
  ])('answers the last message again for a regenerate %s [H7]', async (_case, request) => {
    const { read, view, model, messages } = await twoTurns();
    const response = await read({ ...regenerate, ...request(messages) });
    expect(texts(response)).toEqual(['Again.']);
    expect(kept(await view())).toEqual(['First?', 'One.', 'Second?', 'Again.']);
    expect(textsOf(model.calls[2])).toEqual(['user: First?', 'assistant: One.', 'user: Second?']);
    expect(response[0]).not.toMatchObject({ messageId: messages[3] });
    expect(plain((await view()).messages.at(-1))).toEqual(await messageOf(response));
  });

  it('removes everything after an earlier message that is regenerated [H7]', async () => {
    const { read, view, model, messages } = await twoTurns();
    await read({ ...regenerate, messageId: messages[1], message: userMessage(messages[0] ?? '', 'First?') });
    expect(kept(await view())).toEqual(['First?', 'Again.']);
    expect(textsOf(model.calls[2])).toEqual(['user: First?']);
  });

  it('stores an unknown last message before it regenerates [H7]', async () => {
    const { read, view, model } = await twoTurns();
    await read({ ...regenerate, message: userMessage('lost', 'Third?') });
    expect(kept(await view())).toEqual(['First?', 'One.', 'Second?', 'Two.', 'Third?', 'Again.']);
    expect(textsOf(model.calls[2]).at(-1)).toBe('user: Third?');
  });

  it('does not find an unknown message to regenerate [H7]', async () => {
    const { ask, events } = await twoTurns();
    const before = await events();
    await expect(ask({ ...regenerate, messageId: parseMessageId('nobody') })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await events()).toEqual(before);
  });

  it('replaces an edited message and everything after it [H7]', async () => {
    const { read, view, model, messages } = await twoTurns();
    const [first] = messages;
    await read({ message: userMessage(first ?? '', 'Edited?'), messageId: first });
    expect(kept(await view())).toEqual(['Edited?', 'Again.']);
    expect(textsOf(model.calls[2])).toEqual(['user: Edited?']);
  });

  const picture = { type: 'file' as const, url: 'data:image/png;base64,AAAA', mediaType: 'image/png' };
  const first = (...parts: UserPart[]) => ({ message: { ...userMessage('user-1', ''), parts } });

  it.each<[string, object, string]>([
    [
      'a regenerate with another text',
      { ...regenerate, ...first({ type: 'text', text: 'Edited?' }) },
      'Edited?',
    ],
    ['the same id with another text', first({ type: 'text', text: 'Edited?' }), 'Edited?'],
    ['the same id with a file', first({ type: 'text', text: 'First?' }, picture), 'First?, file'],
  ])('takes %s for an edit of that message [H7]', async (_case, request, prompt) => {
    const { flow, model, ask, view, read, say } = flowFixture([
      [{ text: 'One.' }],
      [{ text: 'Two.' }],
      [{ text: 'Again.' }],
    ]);
    await say('First?', { message: userMessage('user-1', 'First?') });
    await say('Second?');
    await read(await ask(request));
    expect((await view()).messages).toHaveLength(2);
    expect(textsOf(model.calls[2])).toEqual([`user: ${prompt}`]);
    await flow.close();
  });

  it.each<[string, object]>([
    ['other metadata', { message: { ...userMessage('user-1', 'First?'), metadata: { at: 2 } } }],
    ['another data part', first({ type: 'data-place', data: 1 }, { type: 'text', text: 'First?' })],
  ])('does not take a message with %s for an edit [H7]', async (_case, request) => {
    const { model, ask, read, say } = flowFixture([[{ text: 'One.' }]]);
    await say('First?', { message: userMessage('user-1', 'First?') });
    expect(texts(await read(await ask(request)))).toEqual(['One.']);
    expect(model.calls).toHaveLength(1);
  });

  it('refuses another text for a message with a key [H7]', async () => {
    const { ask, say, events } = flowFixture([[{ text: 'One.' }]]);
    await say('First?', { message: userMessage('user-1', 'First?'), key: 'k' });
    const before = await events();
    const again = ask({ message: userMessage('user-1', 'Edited?'), key: 'k' });
    await expect(again).rejects.toMatchObject({ code: 'key-reused' });
    expect(await events()).toEqual(before);
  });

  it('replays the response to an earlier message that is sent again, and runs nothing [H1]', async () => {
    const { read, messages, model, view } = await twoTurns();
    const again = await read({ message: userMessage(messages[0] ?? '', 'First?') });
    expect(again[0]).toEqual({ type: 'start', messageId: (await view()).messages[1]?.id });
    expect(model.calls).toHaveLength(2);
  });

  it('replays the response to the last message that is sent again, and runs nothing [H1, H2]', async () => {
    const { read, messages, model, resume } = await twoTurns();
    const again = await read({ message: userMessage(messages[2] ?? '', 'Second?') });
    expect(lasting(again)).toEqual(lasting((await resume()) ?? []));
    expect(model.calls).toHaveLength(2);
  });

  it.each<[string, object, string[]]>([
    ['regenerate', regenerate, ['user: Go.']],
    [
      'an edit',
      { message: userMessage('user-1', 'Wait.'), messageId: parseMessageId('user-1') },
      ['user: Wait.'],
    ],
  ])('withdraws the open question of the part that %s removes [H7]', async (_case, request, prompt) => {
    const { flow, model, ran, read, say, ask, answer, view } = flowFixture([[pay(1)], [{ text: 'Again.' }]]);
    const id = questionIn(await say('Go.'));
    await read(await ask(request));
    expect(textsOf(model.calls[1])).toEqual(prompt);
    const principal = { id: 'ada', name: 'Ada' };
    const question = await flow.approvals.read({ approvalId: parseApprovalId(id), principal });
    expect(question.state).toBe('superseded');
    await expect(answer(id, true)).rejects.toMatchObject({ code: 'superseded' });
    expect((await view()).open).toBeUndefined();
    expect(ran).toEqual([]);
  });
});

describe('a message instead of an answer [H8]', () => {
  it('starts a new turn for a message after a stop [H5, H8]', async () => {
    const { model, say, stop } = flowFixture([[{ text: 'May I?' }, pay(1), weather], [{ text: 'Fine.' }]]);
    await say('Go.');
    await stop();
    const response = await say('Hello again.');
    expect(types(response)).toContain('text-start');
    expect(textsOf(model.calls[1]).at(-1)).toBe('user: Hello again.');
    expect(checkPrompt(model.calls[1]?.prompt ?? [])).toEqual([]);
  });
});

describe('the model’s input', () => {
  it('has one result and a unique id for every call, even if the model repeats ids', async () => {
    const same = (amount: number): ScriptedPart => ({
      call: 'pay',
      input: { to: 'bob', amount },
      id: 'call',
    });
    const { model, ran, say, answer, view, resume } = flowFixture([
      [same(1), same(2)],
      [same(3)],
      [{ text: 'Three paid.' }],
      [same(4), { ...weather, id: 'call' } as ScriptedPart],
      [{ text: 'Done.' }],
    ]);
    for (const text of ['Go.', 'More.']) {
      let response = await say(text);
      while (types(response).includes('tool-approval-request'))
        response = await answer(questionIn(response), true);
    }
    expect(ran.map(({ toolCallId }) => toolCallId)).toHaveLength(5);
    expect(new Set(ran.map(({ toolCallId }) => toolCallId)).size).toBe(5);
    for (const call of model.calls) expect(checkPrompt(call.prompt)).toEqual([]);
    const stored = (await view()).messages.at(-1);
    expect(await messageOf((await resume()) ?? [])).toEqual(plain(stored));
    const results = JSON.stringify(model.calls[2]?.prompt);
    for (const amount of [1, 2, 3]) expect(results).toContain(`"paid":${amount}`);
  });
});
