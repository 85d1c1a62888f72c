import { afterAll, describe, expect, it } from 'vitest';
import { expectRecorded, recordedExamples } from '../support/recorded-example.ts';
import { serveProtocol, weatherAndPayment } from '../support/serve-protocol.ts';
import { workedExample } from '../support/worked-example.ts';

const seen = new Set<string>();
const user = (text: string) => ({ id: 'user-1', role: 'user', parts: [{ type: 'text', text }] });
const message = (text: string) => ({ id: 'chat', trigger: 'submit-message', message: user(text) });
const answer = (approvalId: string) => ({
  id: 'chat',
  trigger: 'submit-message',
  answers: [{ approvalId, approved: true }],
});
const payment = [
  [{ call: 'pay', id: 'call_1', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'Paid.' }],
] as const;

function recorded(name: string, sent: string, language?: 'text' | 'json'): void {
  seen.add(name);
  expectRecorded(name, sent, language);
}

/** The id of the question that a text asks. */
function approvalIn(text: string): string {
  const [id] = /apr_\d+/.exec(text) ?? [];
  if (id === undefined) throw new Error(`Nothing is asked here: ${text}`);
  return id;
}

/** Replaces a value that is random in each run. */
function named(text: string, value: unknown, name: string): string {
  return text.replaceAll(String(value), name);
}

/** The fields of a chat socket's message, besides its content. */
const once = { client_message_id: '5b1f6d0e-3c52-4b0e-9a55-0e4a1a2f8c11', accept_approvals: true };

function pretty(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

describe('The examples of the protocol pages are what the server sends', () => {
  it('over SSE, for a turn with two questions [T1, T2, T3, T4, T5, T6]', async () => {
    const { post } = await serveProtocol(workedExample);
    const first = await (await post('/api/chat', message('Search and update database'))).text();
    recorded('sse-first', first);
    const second = await (await post('/api/chat', answer(approvalIn(first)))).text();
    recorded('sse-second', second);
    const question = /"type":"tool-approval-request","approvalId":"(\w+)"/.exec(second)?.[1] ?? '';
    recorded('sse-last', await (await post('/api/chat', answer(question))).text());
  });

  it('over SSE, for one question and its replay [H1, H2]', async () => {
    const { post, get } = await serveProtocol(payment);
    const response = await post('/api/chat', message('Pay Alice 30'));
    const shown = ['content-type', 'cache-control', 'x-accel-buffering', 'x-content-type-options'];
    const headers = [...shown, 'x-vercel-ai-ui-message-stream'].map(
      (name) => `${name}: ${response.headers.get(name)}`,
    );
    recorded('sse-headers', [`HTTP/1.1 ${response.status} OK`, ...headers].join('\n'));
    const asked = await response.text();
    recorded('sse-question', asked);
    await (await post('/api/chat', answer(approvalIn(asked)))).text();
    recorded('sse-resumed', await (await get('/api/chat/chat/stream')).text());
  });

  it('over SSE, for a call that the client executes [T13]', async () => {
    const { post } = await serveProtocol([
      [{ call: 'get_location', id: 'call_1' }],
      [{ text: 'You are in Tokyo.' }],
    ]);
    recorded('sse-handed-over', await (await post('/api/chat', message('Where am I?'))).text());
    const outputs = [{ toolCallId: 'call_1', output: { lat: 35.7, lng: 139.7 } }];
    const request = { id: 'chat', trigger: 'submit-message', outputs };
    recorded('sse-output-request', JSON.stringify(request), 'json');
    recorded('sse-output', await (await post('/api/chat', request)).text());
  });

  it('over SSE, for progressive release [T11]', async () => {
    const { post } = await serveProtocol(weatherAndPayment, { release: 'progressive' });
    const response = await post('/api/chat', message('What is the weather in Tokyo, and pay Alice 30'));
    recorded('sse-progressive', await response.text());
  });

  it('for a new message over an open question [T16, H8]', async () => {
    const { post, get } = await serveProtocol([payment[0], [{ text: 'All right.' }]]);
    await (await post('/api/chat', message('Pay Alice 30'))).text();
    const { approvals } = await (await get('/api/approvals')).json();
    const next = { ...message('Never mind'), message: { ...user('Never mind'), id: 'user-2' } };
    await (await post('/api/chat', next)).text();
    const { messages } = await (await get('/api/chat/chat')).json();
    expect(approvals).toHaveLength(1);
    recorded('superseded', JSON.stringify(messages[1], null, 2), 'json');
  });

  it('for a model that fails, in every stream [T16, A16, B8, C16, D3]', async () => {
    const failing = [[{ text: 'Half of ' }, { error: new Error('The model is away.') }]];
    const sse = await serveProtocol(failing);
    recorded('sse-failed', await (await sse.post('/api/chat', message('Hello'))).text());
    const toolEvents = await serveProtocol(failing);
    const events = await (await toolEvents.post('/api/dialects/tool-events', { message: 'Hello' })).text();
    const [, chatId = ''] = /"conversationId":"([^"]+)"/.exec(events) ?? [];
    recorded('tool-events-failed', named(events, chatId, 'chat'));
    const twoStep = await serveProtocol(failing);
    const { stream_id } = await (await twoStep.post('/api/chat/message', { message: 'Hello' })).json();
    recorded('two-step-failed', await (await twoStep.get(`/api/chat/stream/${stream_id}`)).text());
    const responses = await serveProtocol(failing);
    const request = { model: 'demo', stream: true, input: 'Hello' };
    const failed = await (
      await responses.post('/v1/responses', request, { 'idempotency-key': 'once' })
    ).text();
    const [, id = ''] = /"id":"resp_([^.]+)/.exec(failed) ?? [];
    const end = failed.slice(failed.indexOf('event: error'));
    recorded('responses-failed', named(end, id, 'chat'));
    const socket = await (await serveProtocol(failing)).connect('/api/dialects/chat-socket');
    socket.send({ type: 'message', content: 'Hello', ...once });
    const { conversation_id } = JSON.parse(await socket.received('LLM_ERROR'));
    recorded('chat-socket-failed', named(socket.text(), conversation_id, 'chat'));
  });

  it('over a WebSocket [H3]', async () => {
    const { connect } = await serveProtocol(payment);
    const socket = await connect('/api/chat/socket');
    const stub = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: '' }] };
    const send = { type: 'send', id: 'chat', trigger: 'submit-message', messages: [stub] };
    socket.send({ ...send, requestId: 'r1', body: { message: user('Pay Alice 30') } });
    const asked = await socket.received('"tool-approval-request"');
    await socket.received('"end","requestId":"r1"');
    const { answers } = answer(approvalIn(asked));
    socket.send({ ...send, requestId: 'r2', body: { answers } });
    await socket.received('"end","requestId":"r2"');
    socket.send({ type: 'resume', requestId: 'r3', id: 'another-chat' });
    await socket.received('"r3"');
    recorded('socket', socket.text());
  });

  it('for questions, answers and errors [H9, H10, H-Errors, S2, S4, S8]', async () => {
    const { post, get } = await serveProtocol(payment);
    const asked = await (await post('/api/chat', message('Pay Alice 30'))).text();
    const id = approvalIn(asked);
    const { approval } = JSON.parse(await (await get(`/api/approvals/${id}`)).text());
    recorded('question', pretty(JSON.stringify(approval)), 'json');
    const turn = await (await post('/api/chat', answer(id))).text();
    const lifecycle = /^data: (.*"phase":"completed".*)$/m.exec(turn)?.[1] ?? '';
    recorded('lifecycle', pretty(lifecycle), 'json');
    const late = await post(`/api/approvals/${id}`, { approved: false });
    recorded('already-answered', `HTTP/1.1 ${late.status} Conflict\n\n${await late.text()}`);
    const unknown = await post('/api/approvals/apr_0000000000000000000099', { approved: true });
    recorded('error', `HTTP/1.1 ${unknown.status} Not Found\n\n${await unknown.text()}`);
  });

  it('for a chat and a result [H4, S9, S12]', async () => {
    const { post, get } = await serveProtocol(payment);
    const asked = await (await post('/api/chat', message('Pay Alice 30'))).text();
    recorded('chat', pretty(await (await get('/api/chat/chat')).text()), 'json');
    await (await post('/api/chat', answer(approvalIn(asked)))).text();
    recorded('tool-result', pretty(await (await get('/api/chat/chat/tool-results/call_1')).text()), 'json');
  });

  it('for a remembered approval [S14]', async () => {
    const { post, get } = await serveProtocol(payment);
    const approvalId = approvalIn(await (await post('/api/chat', message('Pay Alice 30'))).text());
    const plugins = { remembered: { scope: 'me', match: 'exact-arguments' } };
    const answers = [{ approvalId, approved: true, plugins }];
    await (await post('/api/chat', { ...answer(approvalId), answers })).text();
    recorded('remembered', pretty(await (await get('/api/remembered')).text()), 'json');
  });

  it('for the feed of questions [H11]', async () => {
    const { post, get } = await serveProtocol(payment);
    const feed = await get('/api/approvals/events');
    const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
    };
    await until('\n\n');
    const id = approvalIn(await (await post('/api/chat', message('Pay Alice 30'))).text());
    await until('event: opened');
    await (await post(`/api/approvals/${id}`, { approved: false, reason: 'Not today.' })).text();
    await until('event: settled');
    await reader?.cancel();
    // Places are encrypted under a key of the store.
    let positions = 0;
    recorded(
      'feed',
      text.replaceAll(/^id: .+$/gm, () => `id: <position ${++positions}>`),
    );
  });

  it('for tool events [A1, A13, A20, A25]', async () => {
    const { post, get } = await serveProtocol(weatherAndPayment);
    const asks = { 'accept-approvals': '1' };
    const response = await post(
      '/api/dialects/tool-events',
      { message: 'What is the weather in Tokyo, and pay Alice 30' },
      asks,
    );
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
    };
    await until('approval_request');
    await (await post(`/api/approvals/${approvalIn(text)}`, { approved: true })).text();
    await until('message_end');
    const [, chatId = ''] = /"conversationId":"([^"]+)"/.exec(text) ?? [];
    recorded('tool-events', named(text, chatId, 'chat'));
    const stored = await (await get(`/api/dialects/tool-events?conversationId=${chatId}`)).text();
    const [, messageId = ''] = /"id":"([^"]+)","role":"user"/.exec(stored) ?? [];
    recorded('tool-events-stored', pretty(named(named(stored, chatId, 'chat'), messageId, 'user-1')), 'json');
  });

  it('for a denied call of tool events [A12, A14]', async () => {
    const { post } = await serveProtocol([payment[0], [{ text: 'I could not pay.' }]]);
    const text = await (await post('/api/dialects/tool-events', { message: 'Pay Alice 30' })).text();
    const [, chatId = ''] = /"conversationId":"([^"]+)"/.exec(text) ?? [];
    recorded('tool-events-denied', named(text, chatId, 'chat'));
  });

  it('for the two-step stream [B1, B3, B8, B17, B18]', async () => {
    const { post, get } = await serveProtocol(weatherAndPayment);
    const body = {
      message: 'What is the weather in Tokyo, and pay Alice 30',
      client_message_id: '5b0c2f0e-8c5e-4a8e-9a53-0c7f7f1d2a11',
    };
    const named = await (await post('/api/chat/message', body)).text();
    recorded('two-step-message', named, 'json');
    const { stream_id } = JSON.parse(named);
    const takes = { 'accept-approvals': '1' };
    const stream = await (await get(`/api/chat/stream/${stream_id}`, takes)).text();
    recorded('two-step-stream', stream);
    const places = [...stream.matchAll(/^id: (\S+)$/gm)].map(([, id = '']) => id);
    const resumed = await get(`/api/chat/stream/${stream_id}`, {
      ...takes,
      'last-event-id': places[1] ?? '',
    });
    recorded('two-step-resumed', await resumed.text());
    const answered = await (await post(`/api/approvals/${approvalIn(stream)}`, { approved: true })).json();
    const answeredStream = await get(`/api/chat/stream/${answered.stream_id}`, takes);
    recorded('two-step-answered', await answeredStream.text());
  });

  it('for the responses gateway [C1, C5, C12, C16, C18]', async () => {
    const { post } = await serveProtocol(weatherAndPayment);
    const request = { model: 'demo', stream: true };
    const input = 'What is the weather in Tokyo, and pay Alice 30';
    const asked = await (
      await post('/v1/responses', { ...request, input }, { 'idempotency-key': 'once' })
    ).text();
    const [, chatId = ''] = /"id":"resp_([^.]+)/.exec(asked) ?? [];
    recorded('responses-question', named(asked, chatId, 'chat'));
    const [, approval_request_id = ''] = /"id":"(mcpr_[^"]+)"/.exec(asked) ?? [];
    const approve = [{ type: 'mcp_approval_response', approval_request_id, approve: true }];
    const approved = await (await post('/v1/responses', { ...request, input: approve })).text();
    recorded('responses-approved', named(approved, chatId, 'chat'));
    const deny = [{ ...approve[0], approve: false }];
    const late = await post('/v1/responses', { ...request, input: deny });
    const refusal = `HTTP/1.1 ${late.status} Conflict\nx-should-retry: ${late.headers.get('x-should-retry')}`;
    recorded('responses-error', `${refusal}\n\n${named(await late.text(), chatId, 'chat')}`);
  });

  it('for the chat socket [D1, D2, D10, D24]', async () => {
    const { connect } = await serveProtocol(weatherAndPayment);
    const socket = await connect('/api/dialects/chat-socket');
    socket.send({ type: 'message', content: 'What is the weather in Tokyo, and pay Alice 30', ...once });
    const approval_id = approvalIn(await socket.received('tool_approval_request'));
    socket.send({ type: 'tool_approval_response', approval_id, approved: true });
    const { conversation_id } = JSON.parse(await socket.received('"complete"'));
    recorded('chat-socket', named(socket.text(), conversation_id, 'chat'));
  });

  it('for a denied call of the chat socket [D13, D24]', async () => {
    const { connect } = await serveProtocol([payment[0], [{ text: 'I could not pay.' }]]);
    const socket = await connect('/api/dialects/chat-socket');
    socket.send({ type: 'message', content: 'Pay Alice 30', ...once });
    const approval_id = approvalIn(await socket.received('tool_approval_request'));
    socket.send({ type: 'tool_approval_response', approval_id, approved: false, reason: 'Not today.' });
    const { conversation_id } = JSON.parse(await socket.received('"complete"'));
    recorded('chat-socket-denied', named(socket.text(), conversation_id, 'chat'));
  });

  afterAll(() => {
    expect([...seen].sort()).toEqual(recordedExamples().sort());
  });
});
