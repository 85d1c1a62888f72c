import { describe, expect, it } from 'vitest';
import type { ServerFrame } from '../../../lib/plugins/chat-socket/client/schema.ts';
import { storedText } from '../../support/stored-text.ts';
import { connectChatSocket, frameTypes, ofTurn } from './support/chat-socket-client.ts';
import { gate } from './support/gate.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';

const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
const messageId = '7f0b5f1e-6a4c-4d27-9f6e-2f2f3f0c9a11';

async function open(...served: Parameters<typeof serveDialects>) {
  return connected(await serveDialects(...served));
}

async function connected(served: Awaited<ReturnType<typeof serveDialects>>) {
  return { ...served, client: await connectChatSocket(served.url) };
}

/** The text that a client shows: what came since the last replay began. */
function shownText(frames: readonly ServerFrame[]): string {
  let text = '';
  for (const frame of frames) {
    if (frame.type === 'started' && frame.replay) text = '';
    if (frame.type === 'reset') text = frame.content;
    if (frame.type === 'token') text += frame.content;
  }
  return text;
}

describe('chat socket: the ids of a turn', () => {
  it('names the conversation and the message in every frame, and sends `started` first [D2, D4]', async () => {
    const { client } = await open([[{ text: 'I pay. ' }, pay], [{ text: 'Paid.' }]]);
    client.say('Pay', { client_message_id: messageId });
    const { approval_id } = await client.frame('tool_approval_request');
    client.send({ type: 'tool_approval_response', approval_id, approved: true });
    const frames = await client.complete();
    const { conversation_id, message_id } = await client.frame('complete');
    expect(frames[0]).toEqual({
      type: 'started',
      client_message_id: messageId,
      conversation_id,
      message_id,
    });
    for (const frame of frames) expect(frame).toMatchObject({ conversation_id, message_id });
    expect(frames.filter(({ type }) => type === 'started')).toHaveLength(1);
  });

  it('tells two turns on one socket apart [D2]', async () => {
    const held = gate();
    const { client } = await open([
      [{ text: 'First. ' }, { wait: held.passed }, { text: 'End of the first.' }],
      [{ text: 'Second.' }],
    ]);
    client.say('One', { client_message_id: messageId });
    await client.frame('token');
    client.say('Two');
    await client.complete();
    held.open();
    const frames = await client.complete(2);
    const [first, second] = frames.flatMap((frame) => (frame.type === 'started' ? [frame] : []));
    expect(first?.client_message_id).toBe(messageId);
    const textOf = (id: string | undefined) =>
      shownText(frames.filter((frame) => 'message_id' in frame && frame.message_id === id));
    expect([textOf(first?.message_id), textOf(second?.message_id)]).toEqual([
      'First. End of the first.',
      'Second.',
    ]);
  });

  it('begins one turn for a message that is sent twice, and refuses another text under its id [D1, D3]', async () => {
    const { client, url, model } = await open([[{ text: 'Only once.' }]]);
    client.say('Hi', { client_message_id: messageId });
    const first = await client.frame('complete');
    const again = await connectChatSocket(url);
    again.say('Hi', { client_message_id: messageId });
    expect(await again.frame('complete')).toEqual(first);
    expect(again.frames[0]).toMatchObject({ type: 'started', replay: true, client_message_id: messageId });
    expect(shownText(again.frames)).toBe('Only once.');
    again.say('Bye', { client_message_id: messageId });
    expect(await again.frame('error')).toMatchObject({
      code: 'INVALID_FORMAT',
      message: expect.stringContaining('client_message_id'),
      client_message_id: messageId,
    });
    expect(model.calls).toHaveLength(1);
  });
});

describe('chat socket: resume', () => {
  it('restores a turn whose socket was lost in the middle: the client ends with its text once [D15]', async () => {
    const held = gate();
    const { client, url, flow, model } = await open([
      [{ text: 'One, ' }, { wait: held.passed }, { text: 'two.' }],
    ]);
    client.say('Count');
    const { conversation_id = '', message_id } = await client.frame('token');
    client.socket.terminate();
    const again = await connectChatSocket(url);
    again.send({ type: 'resume', conversation_id, message_id });
    await again.frame('token');
    held.open();
    const frames = await again.complete();
    expect(frames[0]).toEqual({
      type: 'started',
      replay: true,
      client_message_id: expect.any(String),
      ...ofTurn,
    });
    expect(shownText(frames)).toBe('One, two.');
    expect(frames.at(-1)).toEqual({ type: 'complete', conversation_id, message_id });
    expect(await storedText(flow, conversation_id)).toBe('One, two.');
    expect(model.calls).toHaveLength(1);
  });

  it('begins again on a socket that reads the turn, and sends nothing twice after that [D15]', async () => {
    const held = gate();
    const { client } = await open([[{ text: 'One, ' }, { wait: held.passed }, { text: 'two.' }]]);
    client.say('Count');
    const { conversation_id } = await client.frame('token');
    client.send({ type: 'resume', conversation_id });
    await client.frame('token', 2);
    held.open();
    const frames = await client.complete();
    expect(shownText(frames)).toBe('One, two.');
    client.send({ type: 'ping' });
    await client.frame('pong');
    expect(client.frames.filter(({ type }) => type === 'complete')).toHaveLength(1);
  });

  it('waits with an open question, which the resumed socket answers [D15, D24]', async () => {
    const { client, url } = await open([[{ text: 'I pay. ' }, pay], [{ text: 'Paid.' }]]);
    client.say('Pay');
    const { conversation_id } = await client.frame('tool_approval_request');
    client.socket.terminate();
    const again = await connectChatSocket(url);
    again.send({ type: 'resume', conversation_id, accept_approvals: true });
    const { approval_id } = await again.frame('tool_approval_request');
    again.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(frameTypes(await again.complete())).toEqual([
      'token',
      'tool_approval_request',
      'tool_start',
      'tool_complete',
      'token',
      'complete',
    ]);
    expect(shownText(again.frames)).toBe('I pay. Paid.');
  });

  it('reads an ended turn, the last or a named one, with `complete` once [D15]', async () => {
    const { client, url } = await open([[{ text: 'First.' }], [{ text: 'Second.' }]]);
    client.say('One');
    const { conversation_id, message_id } = await client.frame('complete');
    client.say('Two', { conversation_id });
    await client.complete(2);
    const again = await connectChatSocket(url);
    again.send({ type: 'resume', conversation_id });
    expect(shownText(await again.complete())).toBe('Second.');
    again.send({ type: 'resume', conversation_id, message_id });
    expect(shownText(await again.complete(2))).toBe('First.');
    expect(again.frames.filter(({ type }) => type === 'complete')).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['another user’s conversation', {}],
    ['a message that does not exist', { message_id: 'msg_nothing' }],
    ['a conversation that does not exist', { conversation_id: 'nowhere' }],
  ])('refuses %s with ACCESS_DENIED [D3, D26]', async (what, fields) => {
    const { client, url } = await open([[{ text: 'Hello.' }]]);
    client.say('Hi');
    const { conversation_id } = await client.frame('complete');
    const reader = await connectChatSocket(url, what.startsWith('another') ? 'mallory' : undefined);
    reader.send({ type: 'resume', conversation_id, ...fields });
    expect(await reader.frame('error')).toMatchObject({
      code: 'ACCESS_DENIED',
      conversation_id: 'conversation_id' in fields ? 'nowhere' : conversation_id,
    });
  });

  it('replaces the text of a model step that failed in the middle and began again [D15]', async () => {
    const held = gate();
    const { client, url } = await open(
      [[{ text: 'Broken ' }, { wait: held.passed }, { error: new Error('lost') }], [{ text: 'Whole.' }]],
      { streamRetries: 1 },
    );
    client.say('Hi');
    await client.frame('token');
    held.open();
    const frames = await client.complete();
    expect(shownText(frames)).toBe('Whole.');
    const { conversation_id } = await client.frame('complete');
    const again = await connectChatSocket(url);
    again.send({ type: 'resume', conversation_id });
    expect(frameTypes(await again.complete())).toEqual(['token', 'complete']);
    expect(shownText(again.frames)).toBe('Whole.');
  });
});

describe('chat socket: clients that show no questions', () => {
  it('get `complete` after one `token` that says what waits and where to answer, and `resume` the rest [D10, D15]', async () => {
    const other = { call: 'pay', id: 'other', input: { to: 'Bob', amount: 40 } };
    const { client, url, flow } = await open([[{ text: 'I pay. ' }, pay, other], [{ text: 'Paid.' }]]);
    const waiting = ['tool_approval_request', 'token', 'complete'];
    client.say('Pay', { accept_approvals: undefined });
    const frames = [...(await client.complete())];
    expect(frameTypes(frames)).toEqual(['token', ...waiting]);
    const { approval_id, conversation_id = '' } = await client.frame('tool_approval_request');
    expect(frames.at(-2)).toEqual({
      type: 'token',
      content: `\n\nWaiting for approval: Run pay.\nAnswer in the inbox, or with POST /api/approvals/${approval_id}.`,
      ...ofTurn,
    });

    await answerOverHttp(url, approval_id, { approved: true });
    client.send({ type: 'resume', conversation_id });
    const resumed = (await client.complete(2)).slice(frames.length);
    const ran = ['tool_approval_request', 'tool_start', 'tool_complete'];
    expect(frameTypes(resumed)).toEqual(['token', ...ran, ...waiting]);
    expect(shownText(resumed)).toMatch(/^I pay\. \n\nWaiting for approval: Run pay\./);

    const second = await client.frame('tool_approval_request', 3);
    await answerOverHttp(url, second.approval_id, { approved: true });
    client.send({ type: 'resume', conversation_id });
    const last = (await client.complete(3)).slice(frames.length + resumed.length);
    expect(frameTypes(last)).toEqual(['token', ...ran, ...ran, 'token', 'complete']);
    expect(shownText(last)).toBe('I pay. Paid.');
    expect(await storedText(flow, conversation_id)).toBe('I pay. Paid.');
  });

  it('may send a message instead of an answer [D10, H8]', async () => {
    const { client } = await open([[pay], [{ text: 'As you like.' }]]);
    client.say('Pay', { accept_approvals: undefined });
    const { conversation_id } = await client.frame('complete');
    client.say('Never mind', { accept_approvals: undefined, conversation_id });
    expect(frameTypes(await client.complete(2)).slice(-2)).toEqual(['token', 'complete']);
  });

  it('describes no question to a client that shows them [D15, D24]', async () => {
    const { client } = await open([[pay], [{ text: 'Paid.' }]]);
    client.say('Pay', { accept_approvals: true });
    const { approval_id } = await client.frame('tool_approval_request');
    client.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(shownText(await client.complete())).toBe('Paid.');
  });
});
