import { fixtureTools, followOrders } from '../fixture-flow.ts';

const chatId = 'over-a-socket';

/**
 * What the older version's BIDI client sends: a message, the answer to the question about it, a resume, a message. The id
 * of the question is `QUESTION`, that of the assistant's message `ANSWER`.
 */
export async function recordSocket(old) {
  const { WebSocket } = old.require('ws');
  const { readUIMessageStream } = old.require('ai');
  const sent = [];
  class RecordedSocket extends WebSocket {
    send(data) {
      sent.push(JSON.parse(data));
      super.send(data);
    }
  }
  const { tools } = fixtureTools();
  const server = await old.startFlowServer({ model: old.scriptedModel(followOrders), tools });
  const transport = old.createBidiTransport({
    url: server.socket,
    api: server.api,
    webSocket: RecordedSocket,
  });
  const trigger = 'submit-message';
  const text = 'pay {"to":"alice","amount":30}';
  const user = { id: 'user-1', role: 'user', parts: [{ type: 'text', text }] };

  const asked = await lastOf(await transport.sendMessages({ chatId, trigger, messages: [user] }));
  const question = asked.parts.find(({ state }) => state === 'approval-requested').approval.id;
  const parts = asked.parts.map((part) =>
    part.state === 'approval-requested'
      ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved: true } }
      : part,
  );
  const messages = [user, { ...asked, parts }];
  const response = await transport.sendMessages({ chatId, trigger, messageId: asked.id, messages });
  const answered = await lastOf(response, messages[1]);
  await transport.reconnectToStream({ chatId });
  const second = { id: 'user-2', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] };
  await lastOf(await transport.sendMessages({ chatId, trigger, messages: [user, answered, second] }));
  await server.close();
  return sent.map((frame, index) =>
    JSON.parse(
      JSON.stringify({ ...frame, requestId: `request-${index + 1}` })
        .replaceAll(question, 'QUESTION')
        .replaceAll(asked.id, 'ANSWER'),
    ),
  );

  async function lastOf(stream, message) {
    let last;
    for await (const next of readUIMessageStream({ stream, message })) last = next;
    return last;
  }
}
