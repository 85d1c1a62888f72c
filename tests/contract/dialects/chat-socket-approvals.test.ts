import { describe, expect, it } from 'vitest';
import { connectChatSocket, frameTypes, ofTurn } from './support/chat-socket-client.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';

const pay = (to: string, amount: number) => ({ call: 'pay', id: `pay-${to}`, input: { to, amount } });

async function open(script: Parameters<typeof serveDialects>[0]) {
  const served = await serveDialects(script);
  return { ...served, client: await connectChatSocket(served.url) };
}

describe('chat socket: approvals', () => {
  it('asks one question at a time, and sends a denial as TOOL_ERROR without a start [D24]', async () => {
    const { client, ran } = await open([[pay('Alice', 30), pay('Bob', 40)], [{ text: 'One is paid.' }]]);
    client.say('Pay both');
    const first = await client.frame('tool_approval_request');
    expect(first).toMatchObject({
      tool_call_id: 'pay-Alice',
      tool_name: 'pay',
      tool_input: '{"to":"Alice","amount":30}',
    });
    expect(frameTypes(client.frames)).toEqual(['tool_approval_request']);
    client.send({ type: 'tool_approval_response', approval_id: first.approval_id, approved: true });
    const second = await client.frame('tool_approval_request', 2);
    expect(second.tool_call_id).toBe('pay-Bob');
    client.send({
      type: 'tool_approval_response',
      approval_id: second.approval_id,
      approved: false,
      reason: 'Too much.',
    });
    expect(frameTypes(await client.complete())).toEqual([
      'tool_approval_request',
      'tool_start',
      'tool_complete',
      'tool_approval_request',
      'error',
      'token',
      'complete',
    ]);
    expect(await client.frame('error')).toEqual({
      type: 'error',
      code: 'TOOL_ERROR',
      message: 'pay: denied: Too much.',
      recoverable: true,
      tool_call_id: 'pay-Bob',
      ...ofTurn,
    });
    expect(ran.map(({ toolCallId }) => toolCallId)).toEqual(['pay-Alice']);
  });

  it('answers a second answer with ALREADY_ANSWERED, and the first one counts [D3, D24]', async () => {
    const { client, ran } = await open([[pay('Alice', 30)], [{ text: 'Paid.' }]]);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    client.send({ type: 'tool_approval_response', approval_id, approved: true });
    client.send({ type: 'tool_approval_response', approval_id, approved: false });
    expect(await client.frame('error')).toMatchObject({ code: 'ALREADY_ANSWERED', approval_id });
    await client.complete();
    expect(ran).toHaveLength(1);
  });

  it('lets no one answer another user’s question or an unknown one [D24, D26]', async () => {
    const { client, url, ran } = await open([[pay('Alice', 30)]]);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    const mallory = await connectChatSocket(url, 'mallory');
    mallory.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(await mallory.frame('error')).toMatchObject({ code: 'ACCESS_DENIED' });
    client.send({ type: 'tool_approval_response', approval_id: 'nothing', approved: true });
    expect(await client.frame('error')).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(ran).toEqual([]);
  });

  it('lets a reconnected client answer, and read the turn to its end [D24]', async () => {
    const { client, url, ran } = await open([
      [{ text: 'Let me pay. ' }, pay('Alice', 30)],
      [{ text: 'Paid.' }],
    ]);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    client.socket.terminate();
    const again = await connectChatSocket(url);
    again.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(frameTypes(await again.complete())).toEqual(['tool_start', 'tool_complete', 'token', 'complete']);
    expect(ran).toHaveLength(1);
  });

  it('continues here when the answer is given elsewhere [D10, D24]', async () => {
    const { client, url } = await open([[pay('Alice', 30)], [{ text: 'Paid.' }]]);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    expect((await answerOverHttp(url, approval_id, { approved: true })).status).toBe(200);
    expect(frameTypes(await client.complete()).slice(-4)).toEqual([
      'tool_start',
      'tool_complete',
      'token',
      'complete',
    ]);
  });

  it('sends the arguments that run if they were edited with the answer [D5, D24]', async () => {
    const { client, url, ran } = await open([[pay('Alice', 30)], [{ text: 'Paid.' }]]);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    await answerOverHttp(url, approval_id, { approved: true, input: { to: 'Alice', amount: 3 } });
    expect((await client.frame('tool_start')).tool_input).toBe('{"to":"Alice","amount":3}');
    await client.complete();
    expect(ran).toMatchObject([{ input: { amount: 3 } }]);
  });

  it('ends a turn that a new message replaced, and answers the new message [D21, D24]', async () => {
    const { client, ran, flow } = await open([[pay('Alice', 30)], [{ text: 'As you like.' }]]);
    client.say('Pay');
    await client.frame('tool_approval_request');
    const { items } = await flow.chats.list({ principal: { id: 'ada', name: 'Ada' } });
    client.say('Never mind', { conversation_id: items[0]?.id });
    const frames = await client.complete(2);
    expect(frames.filter(({ type }) => type === 'error')).toMatchObject([
      { code: 'TOOL_CANCELLED', tool_call_id: 'pay-Alice' },
    ]);
    expect(frameTypes(frames)).toContain('token');
    expect(ran).toEqual([]);
  });
});
