import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from 'countersign/store';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { passTimeUntil } from '../support/pass-time.ts';
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

const counting = [[{ text: 'One. ' }, weather('call_1', 'Oslo')]];

/** A server whose turn waits after `Two `, until it is let go on. */
async function waitingServer() {
  const held = gate();
  onTestFinished(held.open);
  const last = [{ text: 'Two ' }, { wait: held.passed }, { text: 'and three.' }];
  const server = await serveProtocol([...counting, last]);
  const { clock } = server;
  return {
    server,
    goOn: held.open,
    meanwhile: <Result>(what: Promise<Result>) => passTimeUntil(clock, what),
  };
}

/** The same, and another server of the same database file, which is started when the first one has been closed. */
async function restartedServer() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-recorded-'));
  const path = join(folder, 'chats.sqlite');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const waiting = [{ text: 'Two ' }, { wait: new Promise<void>(() => {}) }];
  const before = await serveProtocol([...counting, waiting], { store: sqliteStore({ path }) });
  const { clock } = before;
  const meanwhile = <Result>(what: Promise<Result>) => passTimeUntil(clock, what);
  return {
    before,
    meanwhile,
    async restart() {
      await before.close();
      const settings = { store: sqliteStore({ path }), clock, firstId: 100 };
      const after = await serveProtocol([[{ text: ['Two ', 'and three.'] }]], settings);
      await after.flow.recover();
      return after;
    },
  };
}

/** The id of the last frame. */
function lastIdIn(text: string): string {
  return [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '';
}

const restarted = '→ (the server is restarted)';

describe('recorded streams of tool events', () => {
  const path = '/api/dialects/tool-events';
  const headers = { 'accept-approvals': '1' };
  const conversationId = /"conversationId":"([^"]+)"/;

  it.each(situations)('of a turn with %s [A1, A12, A13, A14, A15, A25]', async (situation) => {
    const server = await serveProtocol(scripts[situation]);
    const record = createTranscript();
    const stream = await record.open(server, path, { body: { message }, headers });
    if (situation === 'question' || situation === 'denial') {
      const id = findIn(await stream.until('approval_request'), approval);
      await record.ask(server, `/api/approvals/${id}`, { body: { approved: situation === 'question' } });
    }
    const chat = findIn(await stream.rest(), conversationId);
    expectRecordedFile(`tool-events/${situation}.txt`, record.text([chat, 'chat']));
  });

  it('of a connection that breaks twice, and is resumed from the start and at its place [A22]', async () => {
    const { server, goOn, meanwhile } = await waitingServer();
    const record = createTranscript();
    const sent = await record.open(server, path, { body: { message }, headers });
    const chat = findIn(await meanwhile(sent.until('Two ')), conversationId);
    sent.cut();
    const replay = `${path}/stream?conversationId=${chat}`;
    const stream = await record.open(server, replay);
    const id = lastIdIn(await meanwhile(stream.until('Two ')));
    stream.cut();
    goOn();
    await meanwhile(record.ask(server, replay, { headers: { 'last-event-id': id } }));
    expectRecordedFile('tool-events/resume.txt', withoutTimes(record.text([chat, 'chat'])));
  });

  it('of a server that is restarted [A20, A22, A26]', async () => {
    const { before, restart, meanwhile } = await restartedServer();
    const record = createTranscript();
    const stream = await record.open(before, path, { body: { message } });
    const chat = findIn(await meanwhile(stream.until('Two ')), conversationId);
    const restarting = restart();
    await meanwhile(stream.rest());
    record.write(restarted);
    const after = await meanwhile(restarting);
    await meanwhile(record.ask(after, `${path}/stream?conversationId=${chat}`));
    const stored = await record.ask(after, `${path}?conversationId=${chat}`);
    const user = findIn(stored, /"id":"([^"]+)","role":"user"/);
    expectRecordedFile(
      'tool-events/restart.txt',
      withoutTimes(record.text([chat, 'chat'], [user, 'user-1'])),
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
    const asks = situation === 'question' || situation === 'denial';
    const takes = asks ? { headers: { 'accept-approvals': '1' } } : {};
    const text = await record.ask(server, pathOf(findIn(named, streamId)), takes);
    if (asks) {
      const body = { approved: situation === 'question' };
      const answered = await record.ask(server, `/api/approvals/${findIn(text, approval)}`, { body });
      await record.ask(server, pathOf(findIn(answered, streamId)), takes);
    }
    const chat = findIn(named, /"chat_id":"([^"]+)"/);
    expectRecordedFile(`two-step-stream/${situation}.txt`, record.text([chat, 'chat']));
  });

  it('of a connection that breaks, and is resumed after its last frame, up to the end [B17]', async () => {
    const { server, goOn, meanwhile } = await waitingServer();
    const record = createTranscript();
    const named = await record.ask(server, '/api/chat/message', { body: { message } });
    const path = pathOf(findIn(named, streamId));
    const stream = await record.open(server, path);
    const seen = lastIdIn(await meanwhile(stream.until('Two ')));
    stream.cut();
    goOn();
    const rest = await meanwhile(record.ask(server, path, { headers: { 'last-event-id': seen } }));
    await record.ask(server, path, { headers: { 'last-event-id': lastIdIn(rest) } });
    const chat = findIn(named, /"chat_id":"([^"]+)"/);
    expectRecordedFile('two-step-stream/resume.txt', withoutTimes(record.text([chat, 'chat'])));
  });

  it('of a server that is restarted [B15, B19]', async () => {
    const { before, restart, meanwhile } = await restartedServer();
    const record = createTranscript();
    const named = await record.ask(before, '/api/chat/message', { body: { message } });
    const path = pathOf(findIn(named, streamId));
    const stream = await record.open(before, path);
    await meanwhile(stream.until('Two '));
    const restarting = restart();
    const id = lastIdIn(await meanwhile(stream.rest()));
    record.write(restarted);
    const after = await meanwhile(restarting);
    const rest = await meanwhile(record.ask(after, path, { headers: { 'last-event-id': id } }));
    expect(rest).toContain('event: reset');
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

  /** The address that continues a response after the last event of a stream. */
  function restOf(seen: string): string {
    const last = [...seen.matchAll(/"sequence_number":(\d+)/g)].at(-1)?.[1];
    return `${path}/${findIn(seen, /"id":"(resp_[^"]+)"/)}?stream=true&starting_after=${last}`;
  }

  it('of a connection that breaks, and is resumed after its last event; the request, sent again, has all [C12, C15]', async () => {
    const { server, goOn, meanwhile } = await waitingServer();
    const record = createTranscript();
    const body = { ...request, input: message };
    const stream = await record.open(server, path, { body, headers });
    const seen = await meanwhile(stream.until('"delta":"Two "'));
    stream.cut();
    goOn();
    await meanwhile(record.ask(server, restOf(seen)));
    expect(await record.ask(server, path, { body, headers })).toContain(seen.trim());
    const chat = findIn(seen, /"id":"resp_([^.]+)/);
    expectRecordedFile('responses/resume.txt', withoutTimes(record.text([chat, 'chat'])));
  });

  it('of a server that is restarted: the response is resumed after its last event [C12, C17]', async () => {
    const { before, restart, meanwhile } = await restartedServer();
    const record = createTranscript();
    const stream = await record.open(before, path, { body: { ...request, input: message }, headers });
    await meanwhile(stream.until('"delta":"Two "'));
    const restarting = restart();
    const seen = await meanwhile(stream.rest());
    record.write(restarted);
    const after = await meanwhile(restarting);
    await meanwhile(record.ask(after, restOf(seen)));
    const chat = findIn(seen, /"id":"resp_([^.]+)/);
    expectRecordedFile('responses/restart.txt', withoutTimes(record.text([chat, 'chat'])));
  });
});

describe('recorded streams of the chat socket', () => {
  const path = '/api/dialects/chat-socket';
  const conversation = /"conversation_id":"([^"]+)"/;

  it.each(situations)('of a turn with %s [D2, D10, D13, D24]', async (situation) => {
    const socket = await (await serveProtocol(scripts[situation])).connect(path);
    const asks = situation === 'question' || situation === 'denial';
    const sent = { type: 'message', client_message_id: clientMessageId, content: message };
    socket.send(asks ? { ...sent, accept_approvals: true } : sent);
    if (asks) {
      const approval_id = findIn(await socket.received('tool_approval_request'), approval);
      socket.send({ type: 'tool_approval_response', approval_id, approved: situation === 'question' });
    }
    await socket.received(situation === 'error' ? 'LLM_ERROR' : '"complete"');
    const text = `${socket.text()}\n`;
    const chat = conversation.exec(text)?.[1] ?? 'chat';
    expectRecordedFile(`chat-socket/${situation}.txt`, text.replaceAll(chat, 'chat'));
  });

  /** The frame that resumes the turn that a socket has read. */
  function resumeOf(seen: string) {
    return {
      type: 'resume',
      conversation_id: findIn(seen, conversation),
      message_id: findIn(seen, /"message_id":"([^"]+)"/),
    };
  }

  it('of a connection that breaks, and of a second one that resumes the turn [D15]', async () => {
    const { server, goOn, meanwhile } = await waitingServer();
    const lost = await server.connect(path);
    lost.send({ type: 'message', client_message_id: clientMessageId, content: message });
    await meanwhile(lost.received('"Two "'));
    lost.cut();
    goOn();
    const seen = lost.text();
    const socket = await server.connect(path);
    socket.send(resumeOf(seen));
    await meanwhile(socket.received('"complete"'));
    const text = `${seen}\n← (the connection breaks)\n→ (another connection)\n${socket.text()}\n`;
    expectRecordedFile(
      'chat-socket/resume.txt',
      withoutTimes(text.replaceAll(findIn(seen, conversation), 'chat')),
    );
  });

  it('of a server that is restarted, and of a second connection that resumes the turn [D15]', async () => {
    const { before, restart, meanwhile } = await restartedServer();
    const lost = await before.connect(path);
    lost.send({ type: 'message', client_message_id: clientMessageId, content: message });
    await meanwhile(lost.received('"Two "'));
    const closed = lost.closed();
    const restarting = restart();
    const [code] = await meanwhile(closed);
    const seen = lost.text();
    const socket = await (await meanwhile(restarting)).connect(path);
    socket.send(resumeOf(seen));
    await meanwhile(socket.received('"complete"'));
    const text = `${seen}\n← (the connection closes: ${code})\n${restarted}\n${socket.text()}\n`;
    expectRecordedFile(
      'chat-socket/restart.txt',
      withoutTimes(text.replaceAll(findIn(seen, conversation), 'chat')),
    );
  });
});

it('the index has the version and the digests of the recorded streams', expectIndex);
