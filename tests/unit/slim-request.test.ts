import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { createBidiTransport } from '../../lib/bidi/client.ts';
import { slimFieldsOf } from '../../lib/client/transport/slim-request.ts';
import { parseChatRequest } from '../../lib/server/requests/chat-request.ts';
import { createSseTransport } from '../../lib/sse/client.ts';

type Parts = UIMessage['parts'];

const user = (id: string, text = 'Hi'): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const assistant = (id: string, ...parts: Parts): UIMessage => ({ id, role: 'assistant', parts });
const mark: Parts[number] = { type: 'step-start' };
const answered = (id: string, approval: object = {}): Parts[number] => ({
  type: 'tool-process_payment',
  toolCallId: `call_${id}`,
  state: 'approval-responded',
  input: { recipient: 'Alice', amount: 30 },
  approval: { id, approved: true, ...approval },
});
const output = (id: string, more: object = {}): Parts[number] => ({
  type: 'tool-get_location',
  toolCallId: `call_${id}`,
  state: 'output-available',
  input: {},
  output: { city: 'Tokyo' },
  ...more,
});
const slim = (messages: UIMessage[], more: Partial<Parameters<typeof slimFieldsOf>[0]> = {}) =>
  slimFieldsOf({
    trigger: 'submit-message',
    messageId: undefined,
    clientTools: new Set(['get_location']),
    messages,
    ...more,
  });

describe('the slim form [H1]', () => {
  it.each<[string, UIMessage[], object]>([
    [
      'the new user message, with its metadata',
      [user('u0'), assistant('a0', { type: 'text', text: 'Old.' }), { ...user('u1'), metadata: { big: 1 } }],
      { message: { ...user('u1'), metadata: { big: 1 } } },
    ],
    [
      'an answer',
      [assistant('a1', answered('apr_1'))],
      { answers: [{ approvalId: 'apr_1', approved: true }] },
    ],
    [
      'a denial with its reason',
      [assistant('a1', answered('apr_1', { approved: false, reason: 'No.' }))],
      { answers: [{ approvalId: 'apr_1', approved: false, reason: 'No.' }] },
    ],
    [
      'the newest step’s answer only: the others were sent when they were given',
      [assistant('a1', mark, answered('apr_1'), mark, answered('apr_2'))],
      { answers: [{ approvalId: 'apr_2', approved: true }] },
    ],
    [
      'an answer again, when its response broke off after it began, with what the page has of it',
      [assistant('a1', mark, answered('apr_1'), mark, { type: 'text', text: 'Begun' })],
      {
        answers: [{ approvalId: 'apr_1', approved: true }],
        message: assistant('a1', mark, answered('apr_1'), mark, { type: 'text', text: 'Begun' }),
      },
    ],
    [
      'no automatic answer',
      [assistant('a1', answered('auto', { isAutomatic: true }), answered('apr_1'))],
      { answers: [{ approvalId: 'apr_1', approved: true }] },
    ],
    [
      'a client tool’s output, and the approval whose place it took',
      [assistant('a1', mark, output('1', { approval: { id: 'apr_1', approved: true } }))],
      {
        answers: [{ approvalId: 'apr_1', approved: true }],
        outputs: [{ toolCallId: 'call_1', output: { city: 'Tokyo' } }],
      },
    ],
    [
      'a client tool’s output without an approval that was automatic',
      [assistant('a1', output('1', { approval: { id: 'auto', approved: true, isAutomatic: true } }))],
      { outputs: [{ toolCallId: 'call_1', output: { city: 'Tokyo' } }] },
    ],
    [
      'a client tool’s error',
      [assistant('a1', mark, output('1', { state: 'output-error', errorText: 'denied', output: undefined }))],
      { outputs: [{ toolCallId: 'call_1', errorText: 'denied' }] },
    ],
    [
      'no output of another tool, none preliminary, none that the server settled',
      [
        assistant(
          'a1',
          output('1', { type: 'tool-search' }),
          output('2', { preliminary: true }),
          output('3', { providerExecuted: true }),
        ),
      ],
      {},
    ],
    [
      'with a new message, what the message before it has not sent yet',
      [assistant('a1', mark, answered('apr_1')), user('u1')],
      { message: user('u1'), answers: [{ approvalId: 'apr_1', approved: true }] },
    ],
    [
      'with a new message, nothing of a step that was replied to',
      [assistant('a1', mark, answered('apr_1'), mark, { type: 'text', text: 'Paid.' }), user('u1')],
      { message: user('u1') },
    ],
    ['nothing of an empty chat', [], {}],
  ])('accepts %s', (_what, messages, fields) => {
    expect(slim(messages)).toEqual(fields);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['an edited user message', 'u1', 'u1'],
    ['not the assistant message whose answer is sent', 'a1', undefined],
    ['nothing for a plain new message', undefined, undefined],
  ])('names %s', (_what, messageId, named) => {
    expect(slim([assistant('a1', answered('apr_1')), user('u1')], { messageId }).messageId).toBe(named);
  });

  it('sends only the last user message for a regenerate [H7]', () => {
    const messages = [user('u0'), user('u1'), assistant('a1', answered('apr_1'))];
    expect(slim(messages, { trigger: 'regenerate-message', messageId: 'a1' })).toEqual({
      messageId: 'a1',
      message: user('u1'),
    });
  });

  it('ignores malformed parts', () => {
    const odd = [null, 7, { type: 'tool-get_location', state: 'output-available' }, answered('apr_1')];
    const messages = [{ id: 'a1', role: 'assistant', parts: odd } as UIMessage];
    expect(slim(messages)).toEqual({ answers: [{ approvalId: 'apr_1', approved: true }] });
  });
});

describe('the size of an answer on the wire [H1]', () => {
  const id = 'a'.repeat(40);
  const answerOf = (messages: UIMessage[]) => ({
    chatId: id,
    trigger: 'submit-message' as const,
    messageId: messages.at(-1)?.id,
    messages,
    abortSignal: undefined,
  });
  const chatOf = (count: number) => [
    ...Array.from({ length: count - 1 }, (_, index) =>
      user(`u${index}`, 'A long line of words. '.repeat(20)),
    ),
    assistant(
      id,
      ...Array.from({ length: 50 }, (_, index): Parts => [mark, answered(`${id}${index}`)]).flat(),
    ),
  ];

  it.each([1, 10_000])(
    'is at most 1 KiB over SSE in a chat of %d messages, with everything that the server needs',
    async (count) => {
      const bodies: string[] = [];
      const transport = createSseTransport({
        api: 'http://127.0.0.1/api/chat',
        fetch: async (_url, init) => {
          bodies.push(String(init?.body));
          return new Response('data: [DONE]\n\n');
        },
      });
      await transport.sendMessages(answerOf(chatOf(count)));
      const [body = ''] = bodies;
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_024);
      expect(parseChatRequest(JSON.parse(body))).toEqual({
        chatId: id,
        trigger: 'submit-message',
        answers: [{ approvalId: `${id}49`, approved: true }],
      });
    },
  );

  it.each([1, 10_000])('is at most 1 KiB over BIDI in a chat of %d messages', async (count) => {
    const sent: string[] = [];
    class Socket {
      readonly readyState = 1;
      onopen: ((event: unknown) => void) | null = null;
      onmessage = null;
      onerror = null;
      onclose = null;
      constructor() {
        queueMicrotask(() => this.onopen?.({}));
      }
      send(data: string | Uint8Array | ArrayBuffer): void {
        sent.push(String(data));
      }
      close(): void {}
    }
    const transport = createBidiTransport({ url: 'ws://127.0.0.1/api/chat/socket', webSocket: Socket });
    // The server of this socket never replies, and an answer waits for its reply.
    void transport.sendMessages(answerOf(chatOf(count)));
    await expect.poll(() => sent).toHaveLength(1);
    const [frame = ''] = sent;
    expect(Buffer.byteLength(frame)).toBeLessThanOrEqual(1_024);
    expect(JSON.parse(frame)).toMatchObject({
      messages: [{ id, role: 'assistant', parts: [{ type: 'text', text: '' }] }],
      body: { answers: [{ approvalId: `${id}49`, approved: true }] },
    });
  });
});
