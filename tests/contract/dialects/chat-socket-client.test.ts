import {
  ChatSocketClient,
  type ServerFrame as ChatSocketServerFrame,
} from 'countersign/plugins/chat-socket/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { userHeader } from '../../support/serve-fixture.ts';
import { storedText } from '../../support/stored-text.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';

const script = [
  [{ text: 'Let me see. ' }, { call: 'weather', id: 'look', input: { city: 'Oslo' } }],
  [{ call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'It is paid.' }],
];

/** A `ws` that destroys its connection once: after the nth frame of a type that it sends or receives. */
function cutting(type: string, nth = 1) {
  let count = 0;
  return class extends WebSocket {
    constructor(...settings: ConstructorParameters<typeof WebSocket>) {
      super(...settings);
      this.on('message', (data) => this.#count(String(data)));
    }

    override send(data: string): void {
      super.send(data);
      this.#count(data);
    }

    #count(data: string): void {
      if (JSON.parse(data).type === type && ++count === nth) this.terminate();
    }
  };
}

function clientOf(settings: ConstructorParameters<typeof ChatSocketClient>[0]) {
  const client = new ChatSocketClient({ WebSocket, ...settings });
  onTestFinished(() => client.close());
  return client;
}

/** Reads a turn to its end, and approves its question once. */
async function play(client: ChatSocketClient): Promise<ChatSocketServerFrame[]> {
  const frames: ChatSocketServerFrame[] = [];
  let isAnswered = false;
  for await (const frame of client.send('Pay Alice')) {
    frames.push(frame);
    if (frame.type !== 'tool_approval_request' || isAnswered) continue;
    isAnswered = true;
    client.answer({ approvalId: frame.approval_id, approved: true });
  }
  return frames;
}

const lastTurn = (client: ChatSocketClient) => [...client.state.values()].at(-1);

describe('ChatSocketClient', () => {
  it.each<[place: string, type: string, nth?: number]>([
    ['its message', 'message'],
    ['the start', 'started'],
    ['text', 'token'],
    ['the start of a call', 'tool_start'],
    ['a result', 'tool_complete'],
    ['a question', 'tool_approval_request'],
    ['its answer', 'tool_approval_response'],
    ['the start of the approved call', 'tool_start', 2],
    ['the result of the approved call', 'tool_complete', 2],
    ['the last text', 'token', 2],
    ['the end', 'complete'],
  ])(
    'ends with the stored text, once, if its connection is destroyed after %s [D15]',
    async (_place, type, nth) => {
      const { url, flow, ran, model } = await serveDialects(script);
      const client = clientOf({ url, WebSocket: cutting(type, nth) });
      const frames = await play(client);
      const { messageId, conversationId = '', text, calls, isComplete } = lastTurn(client) ?? {};
      expect({ text, isComplete }).toEqual({ text: 'Let me see. It is paid.', isComplete: true });
      expect(await storedText(flow, conversationId)).toBe(text);
      expect([...(calls?.values() ?? [])].map(({ id, status }) => [id, status])).toEqual([
        ['look', 'completed'],
        ['pay', 'completed'],
      ]);
      expect(frames.at(-1)).toEqual({
        type: 'complete',
        message_id: messageId,
        conversation_id: conversationId,
      });
      expect(client.state.size).toBe(1);
      // Nothing ran, and nothing began, twice.
      expect(ran.map(({ tool }) => tool)).toEqual(['weather', 'pay']);
      expect(model.calls).toHaveLength(3);
      expect((await flow.chats.list({ principal: { id: 'ada', name: 'Ada' } })).items).toHaveLength(1);
    },
  );

  it('shows its connection, and that it is replaced [D15]', async () => {
    const { url } = await serveDialects(script);
    const client = clientOf({ url, WebSocket: cutting('token') });
    const seen = [client.connection];
    const end = client.subscribe(() => {
      if (seen.at(-1) !== client.connection) seen.push(client.connection);
    });
    await client.connect();
    await play(client);
    client.close();
    end();
    expect(seen).toEqual(['closed', 'connecting', 'open', 'reconnecting', 'open', 'closed']);
  });

  it('keeps two turns apart, and continues a conversation [D2]', async () => {
    const held = gate();
    const { url } = await serveDialects([
      [{ text: 'First. ' }, { wait: held.passed }, { text: 'End.' }],
      [{ text: 'Second.' }],
      [{ text: 'Third.' }],
    ]);
    const client = clientOf({ url });
    const first = client.send('One')[Symbol.asyncIterator]();
    const started = (await first.next()).value;
    for await (const _frame of client.send('Two'));
    held.open();
    while (!(await first.next()).done);
    for await (const _frame of client.send('Three', { conversationId: started?.conversation_id }));
    const turns = [...client.state.values()];
    expect(turns.map(({ text }) => text)).toEqual(['First. End.', 'Second.', 'Third.']);
    expect(turns[2]?.conversationId).toBe(turns[0]?.conversationId);
  });

  it('throws what the server refuses, with code, status, field and wait [D3]', async () => {
    const { url } = await serveDialects([[{ wait: new Promise<void>(() => {}) }]]);
    const client = clientOf({ url });
    const refused = async (frames: AsyncIterable<unknown>) => {
      for await (const _frame of frames);
    };
    await expect(refused(client.send(''))).rejects.toMatchObject({
      code: 'INVALID_FORMAT',
      status: 400,
      field: 'content',
    });
    await expect(refused(client.resume({ conversationId: 'nowhere' }))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      status: 403,
    });
    const answer = client.answer({ approvalId: 'nothing', approved: true });
    await expect(refused(answer)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const { value: started } = await client.send('Hi')[Symbol.asyncIterator]().next();
    const again = client.send('Again', { conversationId: started?.conversation_id });
    await expect(refused(again)).rejects.toMatchObject({ code: 'BUSY', status: 409, retryAfterMs: 1_000 });
  });

  it('resumes a conversation of another client, answers its question, and cancels its next turn [D15, D21, D24]', async () => {
    const { url, ran } = await serveDialects([
      ...script,
      [{ text: 'Wait' }, { wait: new Promise<void>(() => {}) }],
    ]);
    const other = clientOf({ url });
    const { value: started } = await other.send('Pay')[Symbol.asyncIterator]().next();
    const conversationId = started?.conversation_id ?? '';
    const client = clientOf({ url });
    for await (const frame of client.resume({ conversationId })) {
      if (frame.type !== 'tool_approval_request') continue;
      const answered = client.answer({ approvalId: frame.approval_id, approved: false, reason: 'No.' });
      other.close();
      for await (const _frame of answered);
    }
    expect(lastTurn(client)).toMatchObject({ text: 'Let me see. It is paid.', isComplete: true });
    expect(ran.map(({ tool }) => tool)).toEqual(['weather']);
    for await (const frame of client.send('More', { conversationId })) {
      if (frame.type === 'token') client.cancel(conversationId);
    }
    expect(lastTurn(client)).toMatchObject({ text: 'Wait', isCancelled: true, isComplete: true });
    expect(lastTurn(client)).not.toHaveProperty('error');
  });

  it('sends its headers with the socket, and fetches with them the full result of a call that was cut [D19]', async () => {
    const { url } = await serveDialects(script, { maxResultBytes: 5 });
    const [ada, mallory] = ['ada', 'mallory'].map((user) =>
      clientOf({ url, headers: () => ({ [userHeader]: user }) }),
    );
    for await (const frame of ada?.send('Look') ?? []) {
      if (frame.type !== 'tool_complete' || !frame.truncated) continue;
      const { conversation_id: chat = '', tool_call_id: id } = frame;
      expect(await ada?.result(chat, id)).toEqual({
        toolCallId: 'look',
        toolName: 'weather',
        output: 'Sunny in Oslo',
      });
      await expect(mallory?.result(chat, id)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
      break;
    }
  });

  it('gives up after its attempts, and says that the connection is lost [D15]', async () => {
    const { url } = await serveDialects(script);
    const client = clientOf({ url: url.replace(/\d+$/, '1') });
    await expect(client.connect()).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    const [first] = await Promise.allSettled([client.send('Hi')[Symbol.asyncIterator]().next()]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'CONNECTION_LOST' } });
    expect(client.connection).toBe('closed');
  });
});
