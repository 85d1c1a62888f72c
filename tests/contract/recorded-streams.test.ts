import { sqliteStore } from 'countersign/store';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cutOffStore } from '../support/cut-off-store.ts';
import { passTime, passTimeUntil } from '../support/pass-time.ts';
import { expectIndex, expectRecordedFile } from '../support/recorded-files.ts';
import { serveProtocol } from '../support/serve-protocol.ts';
import { createTranscript, findIn, withoutTimes } from '../support/transcript.ts';
import { gate } from './dialects/support/gate.ts';

const pay = { call: 'pay', id: 'call_1', input: { to: 'Alice', amount: 30 } };
const weather = (id: string, city: string) => ({ call: 'get_weather', id, input: { city } });
const scripts = {
  question: [[{ text: 'Let me see.' }, pay], [{ text: 'Paid.' }]],
  denial: [[pay], [{ text: 'I could not pay.' }]],
  error: [[{ text: 'Half of ' }, { error: new Error('The model is away.') }]],
  parallel: [[weather('call_1', 'Oslo'), weather('call_2', 'Rome')], [{ text: 'Sunny in both.' }]],
} satisfies Record<string, readonly ScriptedStep[]>;
const message = 'Pay Alice 30, please.';
const clientMessageId = '00000000-0000-4000-8000-000000000001';
const approval = /(apr_\d+)/;

type Situation = keyof typeof scripts;
const situations = Object.keys(scripts) as Situation[];

/** Two servers of one store. The first loses the store in the second step of a turn; the other makes that step again. */
async function twoServers() {
  const store = sqliteStore({ path: ':memory:' });
  const line = cutOffStore(store);
  const held = gate();
  onTestFinished(held.open);
  const first = [
    [{ text: 'One. ' }, weather('call_1', 'Oslo')],
    [{ text: 'Two ' }, { wait: held.passed }],
  ];
  const after = await serveProtocol([[{ text: ['Two ', 'and three.'] }]], { store, firstId: 100 });
  const { clock } = after;
  const before = await serveProtocol(first, { store: line.store, clock });
  const takeOver = async () => {
    line.cut();
    await passTime(clock, 20_000, 500);
    await after.flow.recover();
  };
  return { before, after, clock, takeOver };
}

describe('recorded streams of tool events', () => {
  const path = '/api/dialects/tool-events';
  const headers = { 'accept-approvals': '1' };

  it.each(situations)('of a turn with %s [A1, A12, A13, A14, A15, A25]', async (situation) => {
    const server = await serveProtocol(scripts[situation]);
    const record = createTranscript();
    const stream = await record.open(server, path, { body: { message }, headers });
    if (situation === 'question' || situation === 'denial') {
      const id = findIn(await stream.until('approval_request'), approval);
      await record.ask(server, `/api/approvals/${id}`, { body: { approved: situation === 'question' } });
    }
    const chat = findIn(await stream.rest(), /"conversationId":"([^"]+)"/);
    expectRecordedFile(`tool-events/${situation}.txt`, record.text([chat, 'chat']));
  });

  it('of a conversation that is read again [A20]', async () => {
    const server = await serveProtocol(scripts.parallel);
    const record = createTranscript();
    const stream = await record.open(server, path, { body: { message }, headers });
    const chat = findIn(await stream.rest(), /"conversationId":"([^"]+)"/);
    const stored = await record.ask(server, `${path}?conversationId=${chat}`);
    const user = findIn(stored, /"id":"([^"]+)","role":"user"/);
    expectRecordedFile('tool-events/resume.txt', record.text([chat, 'chat'], [user, 'user-1']));
  });
});

describe('recorded streams of a server that ends, and of the one that continues', () => {
  const ended = '→ (the first server ends, and another continues)';

  it('of tool events: the conversation is read again [A20, A26]', async () => {
    const { before, after, clock, takeOver } = await twoServers();
    const record = createTranscript();
    const stream = await record.open(before, '/api/dialects/tool-events', { body: { message } });
    const chat = findIn(await passTimeUntil(clock, stream.until('Two ')), /"conversationId":"([^"]+)"/);
    record.write(ended);
    await takeOver();
    await passTimeUntil(clock, stream.rest());
    const path = `/api/dialects/tool-events?conversationId=${chat}`;
    await expect.poll(async () => (await after.get(path)).text()).toContain('and three.');
    const stored = await record.ask(after, path);
    const user = findIn(stored, /"id":"([^"]+)","role":"user"/);
    expectRecordedFile(
      'tool-events/restart.txt',
      withoutTimes(record.text([chat, 'chat'], [user, 'user-1'])),
    );
  });

  it('of the Responses gateway: the request is sent again under its key [C15, C17]', async () => {
    const { before, after, clock, takeOver } = await twoServers();
    const record = createTranscript();
    const body = { model: 'demo', stream: true, input: message };
    const sent = { body, headers: { 'idempotency-key': 'once' } };
    const stream = await record.open(before, '/v1/responses', sent);
    const chat = findIn(await passTimeUntil(clock, stream.until('Two ')), /"id":"resp_([^.]+)/);
    record.write(ended);
    await takeOver();
    await passTimeUntil(clock, stream.rest());
    await passTimeUntil(clock, record.ask(after, '/v1/responses', sent));
    expectRecordedFile('responses/restart.txt', withoutTimes(record.text([chat, 'chat'])));
  });

  it('of the chat socket: the chat is read over HTTP [D17]', async () => {
    const { before, after, clock, takeOver } = await twoServers();
    const socket = await before.connect('/api/dialects/chat-socket');
    socket.send({ type: 'message', client_message_id: clientMessageId, content: message });
    await passTimeUntil(clock, socket.received('"Two '));
    const record = createTranscript();
    const [chat] = JSON.parse(await (await before.get('/api/chat')).text()).chats;
    await takeOver();
    record.write(`${socket.text()}\n${ended}`);
    await expect.poll(async () => (await after.get(`/api/chat/${chat.id}`)).text()).toContain('and three.');
    const stored = await record.ask(after, `/api/chat/${chat.id}`);
    const user = findIn(stored, /"id":"([^"]+)","role":"user"/);
    expectRecordedFile(
      'chat-socket/restart.txt',
      withoutTimes(record.text([chat.id, 'chat'], [user, 'user-1'])),
    );
  });
});

describe('recorded streams of the two-step stream', () => {
  const pathOf = (id: string) => `/api/chat/stream/${id}`;
  const streamId = /"stream_id":"([^"]+)"/;

  it.each(situations)('of a turn with %s [B3, B8, B12, B18]', async (situation) => {
    const server = await serveProtocol(scripts[situation]);
    const record = createTranscript();
    const named = await record.ask(server, '/api/chat/message', { body: { message } });
    const text = await record.ask(server, pathOf(findIn(named, streamId)));
    if (situation === 'question' || situation === 'denial') {
      const body = { approved: situation === 'question' };
      const answered = await record.ask(server, `/api/approvals/${findIn(text, approval)}`, { body });
      await record.ask(server, pathOf(findIn(answered, streamId)));
    }
    const chat = findIn(named, /"chat_id":"([^"]+)"/);
    expectRecordedFile(`two-step-stream/${situation}.txt`, record.text([chat, 'chat']));
  });

  it('of a stream that is resumed after its first frame, and after its last [B17]', async () => {
    const server = await serveProtocol(scripts.parallel);
    const record = createTranscript();
    const named = await record.ask(server, '/api/chat/message', { body: { message } });
    const path = pathOf(findIn(named, streamId));
    const ids = [...(await record.ask(server, path)).matchAll(/^id: (\S+)$/gm)].map(([, id = '']) => id);
    for (const id of [ids[0], ids.at(-1)]) {
      await record.ask(server, path, { headers: { 'last-event-id': id ?? '' } });
    }
    const chat = findIn(named, /"chat_id":"([^"]+)"/);
    expectRecordedFile('two-step-stream/resume.txt', record.text([chat, 'chat']));
  });

  it('of a turn that another server continues [B15, B19]', async () => {
    const { before, after, clock, takeOver } = await twoServers();
    const record = createTranscript();
    const named = await record.ask(before, '/api/chat/message', { body: { message } });
    const stream = await record.open(after, pathOf(findIn(named, streamId)));
    await passTimeUntil(clock, stream.until('Two '));
    record.write('→ (the first server ends, and another continues)');
    await takeOver();
    const rest = stream.rest();
    await passTimeUntil(clock, rest);
    expect(await rest).toContain('event: reset');
    const chat = findIn(named, /"chat_id":"([^"]+)"/);
    expectRecordedFile('two-step-stream/restart.txt', withoutTimes(record.text([chat, 'chat'])));
  });
});

describe('recorded streams of the Responses gateway', () => {
  const path = '/v1/responses';
  const headers = { 'idempotency-key': 'once' };
  const request = { model: 'demo', stream: true };

  it.each(situations)('of a turn with %s [C5, C8, C12, C16, C18]', async (situation) => {
    const server = await serveProtocol(scripts[situation]);
    const record = createTranscript();
    const asked = await record.ask(server, path, { body: { ...request, input: message }, headers });
    const chat = findIn(asked, /"id":"resp_([^.]+)/);
    if (situation === 'question' || situation === 'denial') {
      const approval_request_id = findIn(asked, /"id":"(mcpr_[^"]+)"/);
      const approve = situation === 'question';
      const input = [{ type: 'mcp_approval_response', approval_request_id, approve }];
      await record.ask(server, path, { body: { ...request, input } });
    }
    expectRecordedFile(`responses/${situation}.txt`, record.text([chat, 'chat']));
  });

  it('of a request that is sent again under its key [C12, C15]', async () => {
    const server = await serveProtocol(scripts.denial);
    const record = createTranscript();
    const body = { ...request, input: message };
    const asked = await record.ask(server, path, { body, headers });
    expect(await record.ask(server, path, { body, headers })).toBe(asked);
    const chat = findIn(asked, /"id":"resp_([^.]+)/);
    expectRecordedFile('responses/resume.txt', record.text([chat, 'chat']));
  });
});

describe('recorded streams of the chat socket', () => {
  const path = '/api/dialects/chat-socket';
  const conversation = /"conversation_id":"([^"]+)"/;

  it.each(situations)('of a turn with %s [D2, D10, D13, D24]', async (situation) => {
    const socket = await (await serveProtocol(scripts[situation])).connect(path);
    socket.send({ type: 'message', client_message_id: clientMessageId, content: message });
    if (situation === 'question' || situation === 'denial') {
      const approval_id = findIn(await socket.received('tool_approval_request'), approval);
      socket.send({ type: 'tool_approval_response', approval_id, approved: situation === 'question' });
    }
    await socket.received(situation === 'error' ? 'LLM_ERROR' : '"complete"');
    const text = `${socket.text()}\n`;
    const chat = conversation.exec(text)?.[1] ?? 'chat';
    expectRecordedFile(`chat-socket/${situation}.txt`, text.replaceAll(chat, 'chat'));
  });

  it('of an answer over a second connection, which gets the rest of the turn [D24]', async () => {
    const server = await serveProtocol(scripts.question);
    const lost = await server.connect(path);
    lost.send({ type: 'message', client_message_id: clientMessageId, content: message });
    const approval_id = findIn(await lost.received('tool_approval_request'), approval);
    const asked = lost.text();
    const socket = await server.connect(path);
    socket.send({ type: 'tool_approval_response', approval_id, approved: true });
    await socket.received('"complete"');
    const text = `${asked}\n→ (another connection)\n${socket.text()}\n`;
    expectRecordedFile('chat-socket/resume.txt', text.replaceAll(findIn(text, conversation), 'chat'));
  });
});

it('the index has the version and the digests of the recorded streams', expectIndex);
