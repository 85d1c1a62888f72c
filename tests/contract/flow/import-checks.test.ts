import type { UIMessage } from 'ai';
import { imports } from 'countersign/plugins/imports';
import { fakeClock } from 'countersign/testing';
import { timelineOf } from 'countersign/views';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { storedConversation } from '../../../lib/plugins/tool-events/stored-conversation.ts';
import { ada, flowFixture } from '../../support/flow-fixture.ts';
import { part, person } from '../../support/imported-chats.ts';

const answer = (...parts: readonly unknown[]) => ({ id: 'a1', role: 'assistant', parts });
const text = { type: 'text', text: 'Hello.' };
const deep = (levels: number): unknown => (levels === 0 ? {} : { in: deep(levels - 1) });

function importing(settings: Parameters<typeof flowFixture>[1] = {}) {
  const fixture = flowFixture([], { ...settings, plugins: [imports()] });
  onTestFinished(() => fixture.flow.close());
  const request = { principal: ada, chatId: 'chat', messages: [person] };
  const bring = (more: object) => fixture.flow.imports.chat({ ...request, ...more });
  return { ...fixture, bring, bringMessages: (messages: unknown) => bring({ messages }) };
}

describe('messages that cannot be imported', () => {
  it.each<[string, unknown, RegExp]>([
    ['no list', 'none', /^`messages` must be a list/],
    ['something else than an object', [person, 'Hello.'], /^Message 2 is not an object/],
    ['no id', [{ ...person, id: 7 }], /^Message 1, id: /],
    [
      'a long id',
      [{ ...person, id: 'x'.repeat(257) }],
      /^Message 1 \(x+\): the id must have at most 256 char/,
    ],
    ['an id twice', [person, person], /^Message 2 \(u1\): an earlier message has the same id/],
    ['another role', [{ ...person, role: 'bot' }], /^Message 1 \(u1\), role: /],
    ['a system message', [{ ...person, role: 'system' }], /^Message 1 \(u1\) is a system message/],
    [
      'the form of an older version',
      [{ id: 'u1', role: 'user', content: 'Hi' }],
      /^Message 1 \(u1\), parts: /,
    ],
    [
      'an unknown part',
      [person, answer(text, { type: 'poem' })],
      /^Message 2 \(a1\), part 2 \(poem\), type: /,
    ],
    [
      'a call of an older version',
      [person, answer({ type: 'tool-invocation', toolInvocation: { state: 'call' } })],
      /^Message 2 \(a1\), part 1 \(tool-invocation\), state: .*older versions/,
    ],
    [
      'a call in no state',
      [answer(part({ state: 'odd' }))],
      /^Message 1 \(a1\), part 1 \(tool-pay\), state: /,
    ],
    [
      'a call without an id',
      [answer(part({ state: 'input-available', toolCallId: '' }))],
      /^Message 1 \(a1\), part 1 \(tool-pay\): the tool call id/,
    ],
    [
      'a file of the server',
      [{ ...person, parts: [text, { type: 'file', mediaType: 'text/plain', url: '/etc/passwd' }] }],
      /^Message 1 \(u1\), part 2 \(file\): A file with a relative URL is refused/,
    ],
    [
      'a file that is not base64',
      [{ ...person, parts: [text, { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,Hello' }] }],
      /^Message 1 \(u1\), part 2 \(file\): A `data:` URL must begin with a media type and `;base64,`/,
    ],
    [
      'a file of the network in a steering message',
      [
        answer({
          type: 'steering-message',
          id: 's',
          parts: [{ type: 'file', mediaType: 'a/b', url: 'http://x' }],
        }),
      ],
      /part 1 \(steering-message\): A file with an `http:` URL is refused/,
    ],
    [
      'deep nesting',
      [answer({ type: 'data-deep', data: deep(100) })],
      /^Message 1 \(a1\) is nested deeper than 64/,
    ],
    [
      'a key that reaches a prototype',
      [answer({ type: 'data-x', data: JSON.parse('{"__proto__":1}') })],
      /^Message 1 \(a1\) uses a key that is reserved/,
    ],
  ])('are refused for %s, and nothing is written', async (_case, messages, message) => {
    const { bringMessages, store, chat } = importing();
    await expect(bringMessages(messages)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(message),
    });
    expect(await store.chats.head(chat().id)).toBeUndefined();
  });

  it('are refused if there are too many, or too large ones', async () => {
    const { bringMessages } = importing();
    const many = Array.from({ length: 10_001 }, () => person);
    await expect(bringMessages(many)).rejects.toMatchObject({
      code: 'payload-too-large',
      message: 'The chat has 10001 messages. At most 10000 can be imported.',
    });
    const large = { ...person, parts: [{ type: 'text', text: 'x'.repeat(33 * 1024 ** 2) }] };
    await expect(bringMessages([large])).rejects.toThrow(/bytes of JSON\. At most 33554432/);
  });

  it.each<[string, object, RegExp]>([
    ['the id of a chat', { chatId: 'a chat' }, /^A chat id has 1 to 128/],
    ['a principal', { principal: { id: '' } }, /^`principal` needs/],
    ['an empty title', { title: ' ' }, /^`title` must have 1 to 200/],
    ['a time to come', { createdAt: 2e12 }, /^`createdAt` must be a time in the past/],
    ['a date', { updatedAt: new Date(0) }, /^`updatedAt` must be a time in the past/],
    ['times in the wrong order', { createdAt: 2, updatedAt: 1 }, /^`updatedAt` must not be before/],
  ])('come with %s', async (_case, more, message) => {
    const { bring } = importing({ clock: fakeClock() });
    await expect(bring(more)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(message),
    });
  });

  it('are refused with the message if a tool cannot convert its old output', async () => {
    const pay = {
      inputSchema: z.object({}),
      execute: () => {},
      toModelOutput: () => Promise.reject(new Error('Old.')),
    };
    const { bringMessages } = importing({ tools: { pay } as never });
    const old = answer(part({ state: 'output-available', output: 1 }));
    await expect(bringMessages([person, old])).rejects.toMatchObject({
      message: expect.stringMatching(/^Message a1 cannot be converted for the model. Check `toModelOutput`/),
    });
  });
});

describe('messages that can', () => {
  it('have outputs that JSON leaves out, and fields of the app beside their parts', async () => {
    const { bringMessages, chat } = importing();
    const { input: _input, ...call } = part({ state: 'output-available' }) as unknown as { input: unknown };
    const stored = { ...answer(call, text), createdAt: new Date(0), content: 'Hello.' };
    await bringMessages([person, stored]);
    const [, second] = (await chat().view()).messages;
    expect(second).toMatchObject({ id: 'a1', parts: [{ state: 'output-available' }, text] });
    expect(second).not.toHaveProperty('content');
  });

  it('have empty ids, as the SDK stores them, and get one by their place', async () => {
    const { bringMessages, chat } = importing();
    const messages = [
      { ...person, id: 'imported-2' },
      { ...answer(text), id: '' },
      { ...person, id: '' },
    ];
    await bringMessages(messages);
    const ids = (await chat().view()).messages.map(({ id }) => id);
    expect(ids).toEqual(['imported-2', 'imported-2-', 'imported-3']);
    expect(await bringMessages(messages)).toEqual({ status: 'unchanged' });
  });

  it('may be none, and text that was being streamed is closed', async () => {
    const { bringMessages, flow } = importing();
    expect(await bringMessages([])).toEqual({ status: 'imported' });
    expect((await flow.chats.list({ principal: ada })).items).toMatchObject([{ title: 'New chat' }]);
    const streaming = importing();
    await streaming.bringMessages([person, answer({ ...text, state: 'streaming' })] as UIMessage[]);
    expect((await streaming.chat().view()).messages[1]?.parts).toEqual([{ ...text, state: 'done' }]);
  });
});

it('is shown to clients of tool events as texts', async () => {
  const { bringMessages, flow, chat } = importing();
  const paid = part({ state: 'output-available', output: 1 });
  await bringMessages([person, answer(text, paid)]);
  const events = await flow.chats.timeline({ principal: ada, chatId: chat().id });
  expect(storedConversation(events, chat().id)).toMatchObject([
    { id: 'u1', role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
    { id: 'a1', role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
  ]);
  expect(timelineOf(chat().id, events)).toMatchObject({ turns: [], spans: [] });
});

it('asks with the call options of the turn, which `prepareCall` gets', async () => {
  const { bring, chat } = importing({
    prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: options as string }),
  });
  const open = part({ state: 'approval-requested', approval: { id: 'native' } });
  const { open: asked } = await bring({ messages: [person, answer(open)], callOptions: 'Be brief.' });
  expect((await chat().view()).open).toBe(asked);
});
