import { describe, expect, it } from 'vitest';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { ada } from '../../support/flow-fixture.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';
import { postMessage, startStream, streamEvents } from './support/two-step-client.ts';

const says = ({ prompt }: { prompt: readonly unknown[] }) => [{ text: `${prompt.length}.` }];
const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
const once = { 'idempotency-key': 'once' };

describe('an Idempotency-Key of the Responses gateway', () => {
  it('is refused in every chat other than the one in which it was used [C16, C17]', async () => {
    const { post, model } = await responsesGateway(says);
    const create = async (body: object, headers = {}) => (await post(body, headers)).json();
    const [one, two] = [await create({ input: 'One.' }), await create({ input: 'Two.' })];
    const body = { input: 'More.', previous_response_id: one.id };
    const first = await create(body, once);
    for (const other of [{ ...body, previous_response_id: two.id }, { input: 'More.' }]) {
      const refused = await post(other, once);
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { error: { code: 'key-reused', param: 'Idempotency-Key' } },
      ]);
    }
    expect(await create(body, once)).toEqual(first);
    expect(model.calls).toHaveLength(3);
  });

  it('returns the first response again, even if the same request would now belong to another chat [C17]', async () => {
    const { post, model, flow } = await responsesGateway(says);
    const send = async (thread: string, headers = {}) =>
      (await post({ input: 'One.' }, { 'thread-id': thread, ...headers })).json();
    for (const thread of ['a', 'b']) await send(thread);
    const first = await send('a', once);
    expect(await send('b', once)).toEqual(first);
    expect(model.calls).toHaveLength(3);
    expect((await flow.chats.list({ principal: ada })).items).toHaveLength(2);
  });

  it('starts only one of two simultaneous requests [C17]', async () => {
    const { post, model } = await responsesGateway(says);
    const responses = await Promise.all(['One.', 'Two.'].map((input) => post({ input }, once)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(model.calls).toHaveLength(1);
  });

  it('belongs to its principal, and can be reused after its chat is erased [C17]', async () => {
    const { post, flow, model } = await responsesGateway(says);
    const { id } = await (await post({ input: 'One.' }, once)).json();
    expect((await post({ input: 'Two.' }, { ...once, authorization: 'Bearer eve' })).status).toBe(200);
    await flow.chats.erase({ principal: ada, chatId: parseChatId(/resp_([^.]+)/.exec(id)?.[1]) });
    expect((await post({ input: 'Two.' }, once)).status).toBe(200);
    expect(model.calls).toHaveLength(3);
  });
});

describe('a client_message_id', () => {
  it('is refused in every chat other than the one in which it was used, with any text [B1]', async () => {
    const { url, model } = await serveDialects(says);
    const chats = [await startStream(url, 'One'), await startStream(url, 'Two')];
    for (const { stream_id } of chats) await streamEvents(url, stream_id);
    const [{ chat_id } = { chat_id: '' }, other] = chats;
    const body = { client_message_id: crypto.randomUUID(), chat_id };
    const first = await startStream(url, 'Hi', body);
    await streamEvents(url, first.stream_id);
    for (const message of ['Hi', 'Bye']) {
      const refused = await postMessage(url, { ...body, message, chat_id: other?.chat_id });
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { error: { code: 'input-mismatch' } },
      ]);
    }
    const { client_message_id } = body;
    expect((await postMessage(url, { client_message_id, message: 'Bye' })).status).toBe(409);
    expect(await startStream(url, 'Hi', { client_message_id })).toEqual(first);
    expect(model.calls).toHaveLength(3);
  });

  it('names the same stream while its question is open, after the answer, and after later messages [B1]', async () => {
    const { url, model } = await serveDialects([
      [{ text: 'Paying.' }, pay],
      [{ text: 'Paid.' }],
      [{ text: 'Bye.' }],
    ]);
    const body = { client_message_id: crypto.randomUUID() };
    const first = await startStream(url, 'Pay', body);
    const asked = (await streamEvents(url, first.stream_id)).find(({ type }) => type === 'approval_request');
    const again = () => startStream(url, 'Pay', body);
    expect(await again()).toEqual(first);
    const approvalId = asked?.type === 'approval_request' ? asked.data.approval_id : '';
    const { body: answered } = await answerOverHttp(url, approvalId, { approved: true });
    expect(await again()).toEqual(first);
    await streamEvents(url, answered.stream_id);
    expect(await again()).toEqual(first);
    const { chat_id } = first;
    await streamEvents(url, (await startStream(url, 'Bye', { chat_id })).stream_id);
    expect([await again(), await startStream(url, 'Pay', { ...body, chat_id })]).toEqual([first, first]);
    expect(model.calls).toHaveLength(3);
  });

  it('is also refused in another conversation of the chat socket [D2]', async () => {
    const { url, model } = await serveDialects(says);
    const { stream_id, chat_id: conversation_id } = await startStream(url, 'One');
    await streamEvents(url, stream_id);
    const client = await connectChatSocket(url);
    const client_message_id = crypto.randomUUID();
    client.say('Hi', { client_message_id });
    await client.complete();
    client.say('Hi', { client_message_id, conversation_id });
    expect(await client.frame('error')).toMatchObject({ code: 'INVALID_FORMAT', client_message_id });
    expect(model.calls).toHaveLength(2);
  });
});
