import { sqliteStore } from 'countersign/store';
import type { Script, ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { answerForClient } from '../../../lib/dialects/answer-for-client.ts';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { askingFixture, book, done } from '../../support/asking-fixture.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { serveDialects } from './support/serve-dialects.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

const never = new Promise<void>(() => {});
const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };

/** Instances on one store, one after the other. Each closes before the next begins. */
function instances() {
  const store = sqliteStore({ path: ':memory:' });
  let close = async () => {};
  return async (script: Script) => {
    await close();
    const served = await serveDialects(script, { store });
    close = () => served.flow.close();
    await served.flow.recover();
    return served;
  };
}

/** Begins a turn over each dialect; gives its chat. */
const dialects = {
  'two-step stream': async (url: string) => (await startStream(url, 'Go')).chat_id,
  'chat socket': async (url: string) => {
    const client = await connectChatSocket(url);
    client.say('Go');
    return (await client.frame('token')).conversation_id;
  },
  'tool events': async (url: string) => {
    const response = await fetch(`${url}/api/dialects/tool-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Go' }),
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    return /"conversationId":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1];
  },
} as const;

describe('a client that cannot execute calls, or ask people', () => {
  it.each<{ dialect: keyof typeof dialects; calls: ScriptedStep; error: string }>([
    { dialect: 'two-step stream', calls: [{ call: 'theme' }], error: 'This client runs no tools.' },
    {
      dialect: 'two-step stream',
      calls: [{ call: 'locate' }],
      error: 'The call was denied: This client runs no tools.',
    },
    { dialect: 'chat socket', calls: [{ call: 'theme' }], error: 'This client runs no tools.' },
    { dialect: 'tool events', calls: [{ call: 'theme' }], error: 'This client runs no tools.' },
    {
      dialect: 'tool events',
      calls: [pay],
      error: 'The call was denied: This client cannot ask for approval.',
    },
  ])(
    'gets the end of its turn over $dialect after a restart before its call, which fails: $error [A25, B12, D13]',
    async (row) => {
      const restart = instances();
      const first = await restart([[{ text: 'Well. ' }, { wait: never }]]);
      const chatId = await dialects[row.dialect](first.url);
      const { url, flow } = await restart([row.calls, [{ text: 'Never mind.' }]]);
      const stream = await flow.chats.resume({ chatId: parseChatId(chatId), principal: ada });
      const ends: unknown[] = [];
      for await (const event of stream?.events ?? []) {
        if (event.type === 'tool-failed') ends.push(event.error);
        if (event.type === 'run-completed' || event.type === 'run-suspended') ends.push(event.type);
      }
      expect(ends).toEqual([row.error, 'run-completed']);
      expect((await (await fetch(`${url}/api/chat/${chatId}`)).json()).messages).toHaveLength(2);
    },
  );

  it('follows its stream after such a restart to `done` [B12]', async () => {
    const restart = instances();
    const first = await restart([[{ text: 'Well. ' }, { wait: never }]]);
    const { stream_id } = await startStream(first.url, 'Go');
    const { url } = await restart([[{ call: 'theme' }], [{ text: 'Never mind.' }]]);
    const events = await streamEvents(url, stream_id);
    expect(events.at(-1)).toEqual({ type: 'done', data: { reason: 'complete' } });
  });

  it('is not asked by running calls: their questions are declined [A25, ADR 0037]', async () => {
    const { flow, answers } = askingFixture([[book('b')], done]);
    const stream = await flow.chats.respond({
      ...request('asking'),
      options: { unsupportedByClient: ['approvals', 'tools'] },
    });
    const types = (await Array.fromAsync(stream.events)).map(({ type }) => type);
    expect(answers).toEqual([{ action: 'decline', reason: 'This client cannot ask for approval.' }]);
    expect(types).not.toContain('approval-requested');
    expect(types.at(-1)).toBe('run-completed');
  });

  it('is answered for by a server whose turns do not say so [A25]', async () => {
    const { flow } = flowFixture([[pay], [{ call: 'theme' }], [{ text: 'Never mind.' }]]);
    const stream = await flow.chats.respond({ ...request('answered'), until: 'turn' });
    if (stream.runId === null) throw new Error('No run began.');
    const { chatId, principal } = request('answered');
    void answerForClient(flow, { principal, chatId, runId: stream.runId, via: 'lines', asks: false });
    const ends = (await Array.fromAsync(stream.events)).filter(({ type }) =>
      /^tool-(denied|failed)$/.test(type),
    );
    expect(ends).toMatchObject([
      { type: 'tool-denied', reason: 'This client cannot ask for approval.' },
      { type: 'tool-failed', error: 'This client runs no tools.' },
    ]);
  });
});

function request(chat: string) {
  const message = userMessage('m1', 'Go.');
  return {
    chatId: parseChatId(chat),
    principal: ada,
    trigger: 'submit-message' as const,
    message,
    via: 'lines',
  };
}
