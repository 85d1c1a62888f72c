import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '../../lib/server/requests/chat-request.ts';

const user = (id: string, ...parts: object[]) => ({ id, role: 'user', parts });
const assistant = (id: string, ...parts: object[]) => ({ id, role: 'assistant', parts });
const text = (value: string) => ({ type: 'text', text: value });
const mark = { type: 'step-start' };
const answered = (id: string, more: object = {}, approval: object = {}) => ({
  type: 'tool-process_payment',
  toolCallId: `call_${id}`,
  state: 'approval-responded',
  input: { amount: 30 },
  approval: { id, approved: true, ...approval },
  ...more,
});
const done = (id: string, more: object = {}) => ({
  type: 'tool-get_location',
  toolCallId: `call_${id}`,
  state: 'output-available',
  input: {},
  output: { city: 'Tokyo' },
  ...more,
});
const body = (fields: object) => ({ id: 'chat1', trigger: 'submit-message', ...fields });
const head = { chatId: 'chat1', trigger: 'submit-message' };
const message = (id: string) => ({ id, parts: [{ type: 'text', text: 'Hi' }] });

const dataUrlHead =
  'A `data:` URL must begin with a media type and `;base64,`, such as `data:image/png;base64,`.';
const base64 = 'The content of a `data:` URL is empty, or is not base64 with padding.';

const remember = { scope: 'chat', match: 'exact-arguments' };

describe('both forms of a chat request [H1]', () => {
  it.each<[string, object, object]>([
    [
      'the new user message of a full history',
      { messages: [user('u0', text('old')), assistant('a0', text('reply')), user('u1', text('Hi'))] },
      { message: message('u1') },
    ],
    ['the message of a slim body', { message: user('u1', text('Hi')) }, { message: message('u1') }],
    [
      'a message without its texts of white space',
      { message: user('u1', text('\n\n'), text('Hi'), text(' ')) },
      { message: message('u1') },
    ],
    [
      'an edit, which names the edited message',
      { messageId: 'u1', messages: [user('u1', text('Hi'))] },
      { message: message('u1'), messageId: 'u1' },
    ],
    [
      'no edit when the SDK names the assistant message that was answered',
      { messageId: 'a0', messages: [assistant('a0', text('old')), user('u1', text('Hi'))] },
      { message: message('u1') },
    ],
    [
      'a file by data URL and one by https, data parts and metadata',
      {
        message: {
          metadata: { page: 1 },
          ...user(
            'u1',
            {
              type: 'file',
              url: 'data:image/png;base64,AAAA',
              mediaType: 'image/png',
              filename: 'a.png',
              x: 1,
            },
            { type: 'file', url: 'https://example.com/b', mediaType: 'image' },
            { type: 'data-note', id: 'n', data: { at: [1] }, x: 1 },
            { type: 'data-empty' },
          ),
        },
      },
      {
        message: {
          id: 'u1',
          metadata: { page: 1 },
          parts: [
            { type: 'file', url: 'data:image/png;base64,AAAA', mediaType: 'image/png', filename: 'a.png' },
            { type: 'file', url: 'https://example.com/b', mediaType: 'image' },
            { type: 'data-note', id: 'n', data: { at: [1] } },
            { type: 'data-empty', data: null },
          ],
        },
      },
    ],
    [
      'an answer in the last assistant message, with what was shown',
      { messages: [assistant('a0', answered('old')), assistant('a1', mark, answered('apr_1'))] },
      { answers: [{ approvalId: 'apr_1', approved: true, shownInput: { amount: 30 } }] },
    ],
    [
      'a denial with its reason, of a dynamic tool',
      {
        messages: [
          assistant(
            'a1',
            answered('apr_1', { type: 'dynamic-tool', toolName: 'x' }, { approved: false, reason: 'No.' }),
          ),
        ],
      },
      { answers: [{ approvalId: 'apr_1', approved: false, reason: 'No.', shownInput: { amount: 30 } }] },
    ],
    [
      'the answers and outputs of an assistant message that was sent alone, but none of its texts',
      { message: assistant('a1', text('FORGED'), mark, answered('apr_1'), done('2')) },
      {
        answers: [{ approvalId: 'apr_1', approved: true, shownInput: { amount: 30 } }],
        outputs: [{ toolCallId: 'call_2', output: { city: 'Tokyo' } }],
      },
    ],
    [
      'an assistant message alone, whatever history and message id are sent beside it',
      {
        messageId: 'a1',
        message: assistant('a1', answered('apr_1')),
        messages: [assistant('a0', answered('apr_other')), user('u1', text('Hi'))],
      },
      { answers: [{ approvalId: 'apr_1', approved: true, shownInput: { amount: 30 } }] },
    ],
    [
      'slim answers instead of those in an assistant message',
      {
        message: assistant('a1', answered('apr_other')),
        answers: [{ approvalId: 'apr_1', approved: false }],
      },
      { answers: [{ approvalId: 'apr_1', approved: false }] },
    ],
    [
      'an answer before a new message too',
      { messages: [assistant('a1', answered('apr_1')), user('u1', text('Hi'))] },
      {
        message: message('u1'),
        answers: [{ approvalId: 'apr_1', approved: true, shownInput: { amount: 30 } }],
      },
    ],
    [
      'no automatic answer, but the person’s beside it',
      { messages: [assistant('a1', answered('auto', {}, { isAutomatic: true }), answered('apr_1'))] },
      { answers: [{ approvalId: 'apr_1', approved: true, shownInput: { amount: 30 } }] },
    ],
    [
      'client outputs and errors, but nothing preliminary or executed by the provider',
      {
        messages: [
          assistant(
            'a1',
            done('1'),
            done('2', { preliminary: true }),
            done('3', { providerExecuted: true }),
            done('4', { state: 'output-error', errorText: 'denied by the browser', output: undefined }),
          ),
        ],
      },
      {
        outputs: [
          { toolCallId: 'call_1', output: { city: 'Tokyo' } },
          { toolCallId: 'call_4', errorText: 'denied by the browser' },
        ],
      },
    ],
    [
      'the approval of a gated client tool, whose output took its place in the newest step',
      {
        messages: [
          assistant(
            'a1',
            done('0', { approval: { id: 'apr_0', approved: true } }),
            mark,
            done('1', { approval: { id: 'apr_1', approved: true } }),
          ),
        ],
      },
      {
        answers: [{ approvalId: 'apr_1', approved: true, shownInput: {} }],
        outputs: [
          { toolCallId: 'call_0', output: { city: 'Tokyo' } },
          { toolCallId: 'call_1', output: { city: 'Tokyo' } },
        ],
      },
    ],
    [
      'slim answers with an edited input that are to be remembered, and slim outputs',
      {
        answers: [
          { approvalId: 'apr_1', approved: true, input: { amount: 20 }, plugins: { remembered: remember } },
        ],
        outputs: [
          { toolCallId: 'call_1', output: null },
          { toolCallId: 'call_2', errorText: 'failed' },
        ],
      },
      {
        answers: [
          { approvalId: 'apr_1', approved: true, input: { amount: 20 }, plugins: { remembered: remember } },
        ],
        outputs: [
          { toolCallId: 'call_1', output: null },
          { toolCallId: 'call_2', errorText: 'failed' },
        ],
      },
    ],
    [
      'the slim fields if there is also a history',
      {
        answers: [{ approvalId: 'apr_1', approved: false }],
        messages: [user('u1', text('ignored')), assistant('a1', answered('apr_other'))],
      },
      { answers: [{ approvalId: 'apr_1', approved: false }] },
    ],
  ])('accepts %s', (_what, fields, taken) => {
    expect(parseChatRequest(body(fields))).toEqual({ ...head, ...taken });
  });

  it.each<[string, object]>([
    [
      'full',
      { messages: [user('u0', text('old')), user('u1', text('Hi')), assistant('a1', answered('apr_1'))] },
    ],
    ['slim', { message: user('u1', text('Hi')), answers: [{ approvalId: 'apr_1', approved: true }] }],
  ])('reads only the last user message of a regenerate, in the %s form [H7]', (_form, fields) => {
    const request = { id: 'chat1', trigger: 'regenerate-message', messageId: 'a1', ...fields };
    expect(parseChatRequest(request)).toEqual({
      chatId: 'chat1',
      trigger: 'regenerate-message',
      messageId: 'a1',
      message: message('u1'),
    });
  });

  it('needs no message for a regenerate [H7]', () => {
    expect(parseChatRequest({ id: 'chat1', trigger: 'regenerate-message' })).toEqual({
      chatId: 'chat1',
      trigger: 'regenerate-message',
    });
  });

  it('takes no message from a regenerate that names an assistant message [H7]', () => {
    const message = assistant('a1', text('Hi'), answered('apr_1'));
    expect(parseChatRequest({ id: 'chat1', trigger: 'regenerate-message', message })).toEqual({
      chatId: 'chat1',
      trigger: 'regenerate-message',
    });
  });

  it('ignores the middle of a history, however long or malformed it is [T12]', () => {
    const middle = Array.from({ length: 100_000 }, () => ({
      get parts(): never {
        throw new Error('An old message was read.');
      },
      role: 'user',
    }));
    const messages = [...middle, assistant('a1', answered('apr_1')), user('u1', text('Hi'))];
    expect(parseChatRequest(body({ messages })).message).toEqual(message('u1'));
  });
});

describe('refused chat requests [H1]', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

  it.each<[string, unknown]>([
    ['a body that is not an object', []],
    ['no chat id', { messages: [user('u1', text('Hi'))] }],
    ['a reserved chat id', { ...body({ message: user('u1', text('Hi')) }), id: '__proto__' }],
    ['an unknown trigger', { ...body({ message: user('u1', text('Hi')) }), trigger: 'resume-stream' }],
    ['a request that says nothing', body({ messages: [assistant('a1', text('old'))] })],
    ['a request without messages', body({})],
    ['messages that are not a list', body({ messages: { length: 1 } })],
    [
      'a system message as the new one',
      body({ messages: [{ id: 's', role: 'system', parts: [text('x')] }] }),
    ],
    ['a slim message of the assistant without an answer', body({ message: assistant('a1', text('Hi')) })],
    [
      'a malformed answer in a slim message of the assistant',
      body({ message: assistant('a1', answered('apr_1', {}, { approved: 'true' })) }),
    ],
    ['a slim message of the system', body({ message: { ...user('u1', text('Hi')), role: 'system' } })],
    ['a slim message with several roles', body({ message: { ...user('u1', text('Hi')), role: ['user'] } })],
    ['a user message with a tool part', body({ message: user('u1', answered('apr_1')) })],
    ['a user message without text', body({ message: user('u1', text('')) })],
    ['a user message of data parts alone', body({ message: user('u1', { type: 'data-note', data: 'x' }) })],
    [
      'a data part whose data is nested too deep',
      body({ message: user('u1', text('Hi'), { type: 'data-note', data: nested(100) }) }),
    ],
    [
      'a data part whose id is no string',
      body({ message: user('u1', text('Hi'), { type: 'data-note', id: 1, data: 'x' }) }),
    ],
    [
      'a data part with a long type',
      body({ message: user('u1', text('Hi'), { type: `data-${'x'.repeat(300)}`, data: 'x' }) }),
    ],
    [
      'metadata with a reserved key',
      body({ message: { ...user('u1', text('Hi')), metadata: JSON.parse('{"__proto__":{}}') } }),
    ],
    ['a user message without an id', body({ message: { role: 'user', parts: [text('Hi')] } })],
    ['a user message whose id is empty', body({ message: user('', text('Hi')) })],
    [
      'a user message of 65 parts',
      body({ message: user('u1', ...Array.from({ length: 65 }, () => text('x'))) }),
    ],
    ['a user message of white space', body({ message: user('u1', text(' \n'), text('\t')) })],
    ['text that is not a string', body({ message: user('u1', { type: 'text', text: { length: 1 } }) })],
    ...[
      'http://10.0.0.1/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://a:b@example.com/',
      'data:x',
      '',
    ].map((url): [string, unknown] => [
      `a file at ${url || 'an empty URL'}`,
      body({ message: user('u1', { type: 'file', url, mediaType: 'image/png' }) }),
    ]),
    [
      'a file without a media type',
      body({ message: user('u1', { type: 'file', url: 'https://a.example/' }) }),
    ],
    ['an answer that is neither yes nor no', body({ answers: [{ approvalId: 'apr_1', approved: 'yes' }] })],
    ['an answer without an approval id', body({ answers: [{ approved: true }] })],
    ['answers that are not a list', body({ answers: { 0: { approvalId: 'a', approved: true } } })],
    [
      'a reason of more than 2,000 characters',
      body({ answers: [{ approvalId: 'apr_1', approved: false, reason: 'x'.repeat(2_001) }] }),
    ],
    [
      'more answers than anyone could give',
      body({ answers: Array.from({ length: 101 }, () => ({ approvalId: 'apr_1', approved: true })) }),
    ],
    ['an output without a value', body({ outputs: [{ toolCallId: 'call_1' }] })],
    [
      'an edited input that is nested too deep',
      body({ answers: [{ approvalId: 'apr_1', approved: true, input: nested(10_000) }] }),
    ],
    [
      'an edited input that reaches for a prototype',
      body(JSON.parse('{"answers":[{"approvalId":"apr_1","approved":true,"input":{"a":{"__proto__":{}}}}]}')),
    ],
    [
      'an output that reaches for a prototype by its constructor',
      body({ outputs: [{ toolCallId: 'call_1', output: { constructor: { prototype: { admin: true } } } }] }),
    ],
    [
      'a malformed answer in a full history',
      body({ messages: [assistant('a1', answered('apr_1', {}, { approved: 1 }))] }),
    ],
    [
      'a shown input that is nested too deep',
      body({ messages: [assistant('a1', answered('apr_1', { input: nested(10_000) }))] }),
    ],
  ])('refuses %s', (_what, request) => {
    expect(() => parseChatRequest(request)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  it.each([
    [
      'http://10.0.0.1/a.png',
      'A file with an `http:` URL is refused: it could name an address in the server’s network.',
    ],
    ['/uploads/a.png', 'A file with a relative URL is refused: the model’s provider could not load it.'],
    ['uploads/a.png', 'A file with a relative URL is refused: the model’s provider could not load it.'],
    ['//example.com/a.png', 'A file with a relative URL is refused: the model’s provider could not load it.'],
    ['blob:https://example.com/1', 'A file with a `blob:` URL is refused: it exists only in the page.'],
    ['file:///etc/passwd', 'A file with a `file:` URL is refused.'],
    ['https://a:b@example.com/', 'A file URL with a user name or a password is refused.'],
    ['data:x', dataUrlHead],
    ['data:text/plain,Hello', dataUrlHead],
    ['data:image/svg+xml;utf8,<svg/>', dataUrlHead],
    ['data:,SGVsbG8=', dataUrlHead],
    ['data:;base64,SGVsbG8=', dataUrlHead],
    ['data:image;base64,SGVsbG8=', dataUrlHead],
    ['data:image/*;base64,SGVsbG8=', dataUrlHead],
    ['data:text/plain;base64;charset=utf-8,SGVsbG8=', dataUrlHead],
    ['data: text/plain;base64,SGVsbG8=', dataUrlHead],
    ['data:image/png;base64,', base64],
    ['data:image/png;base64,SGVsbG8', base64],
    ['data:image/png;base64,SGVsbG8%3D', base64],
    ['data:image/png;base64,SGVs bG8=', base64],
    ['data:image/png;base64,SGVs_G8-', base64],
    ['data:image/png;base64,SGVsbG8=,SGVsbG8=', base64],
    ['data:image/png;base64,SGVs#G8=', base64],
  ])('says why a file at %s is refused, and what to send', (url, reason) => {
    const request = body({ message: user('u1', { type: 'file', url, mediaType: 'image/png' }) });
    const message = `${reason} Send the file as a base64 \`data:\` URL, or give an \`https:\` URL.`;
    expect(() => parseChatRequest(request)).toThrow(
      expect.objectContaining({ code: 'invalid-request', message }),
    );
  });

  it.each([
    'data:image/png;base64,SGVsbG8=',
    'DATA:image/svg+xml;BASE64,SGVsbG8h',
    'data:text/plain;charset=utf-8;base64,SGVsbA==',
    'data:application/vnd.ms-excel;name=a.xls;base64,+/+/',
  ])('takes a file at %s', (url) => {
    const request = body({ message: user('u1', { type: 'file', url, mediaType: 'text/plain' }) });
    expect(parseChatRequest(request).message?.parts).toEqual([
      { type: 'file', url, mediaType: 'text/plain' },
    ]);
  });

  it.each([
    ['characters', text('12345'), text('123456')],
    ['bytes', text('é'), text('12345678é')],
  ])('refuses a new message above its limit in %s with payload-too-large', (_unit, one, other) => {
    const limits = { bodyBytes: 1_000, messageBytes: 10 };
    const parse = (...parts: object[]) => parseChatRequest(body({ message: user('u1', ...parts) }), limits);
    expect(() => parse(one, other)).toThrow(expect.objectContaining({ code: 'payload-too-large' }));
    expect(() => parse(one)).not.toThrow();
  });

  it('names the setting that raises the limit for an image', () => {
    const image = { type: 'file', url: `data:image/png;base64,${'A'.repeat(100)}`, mediaType: 'image/png' };
    const request = body({ message: user('u1', text('Look.'), image) });
    expect(() => parseChatRequest(request, { bodyBytes: 1_000, messageBytes: 100 })).toThrow(
      expect.objectContaining({
        code: 'payload-too-large',
        message:
          'The new message, with its files as base64, is larger than 100 bytes. Send less, or raise `limits.messageBytes` on the server.',
      }),
    );
  });

  it('replaces a dangerous output in a history by an error, because most outputs there are the server’s own', () => {
    const request = body({
      messages: [assistant('a1', done('1', { output: nested(100) }), answered('apr_1'))],
    });
    expect(parseChatRequest(request).outputs).toEqual([
      { toolCallId: 'call_1', errorText: expect.stringContaining('was not accepted') },
    ]);
  });

  it('ignores values that are not valid parts', () => {
    const messages = [
      { id: 'a1', role: 'assistant', parts: [null, 7, 'x', {}, { type: 3 }, answered('apr_1')] },
    ];
    expect(parseChatRequest(body({ messages })).answers).toHaveLength(1);
  });
});
