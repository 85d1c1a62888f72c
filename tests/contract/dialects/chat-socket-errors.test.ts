import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectChatSocket, ofTurn } from './support/chat-socket-client.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';

async function open(...served: Parameters<typeof serveDialects>) {
  const opened = await serveDialects(...served);
  return { ...opened, client: await connectChatSocket(opened.url) };
}

describe('chat socket: what an error says', () => {
  it.each<[string, object, object]>([
    [
      'content that is too long',
      { type: 'message', content: 'x'.repeat(100_001) },
      { field: 'content', limit: 100_000 },
    ],
    ['no content', { type: 'message', content: ' ' }, { field: 'content', limit: 1 }],
    ['content that is no text', { type: 'message', content: 7 }, { field: 'content' }],
    [
      'a reason that is too long',
      { type: 'tool_approval_response', approval_id: 'a', approved: true, reason: 'x'.repeat(2_001) },
      { field: 'reason', limit: 2_000, approval_id: 'a' },
    ],
    ['a missing id', { type: 'tool_cancel' }, { field: 'tool_call_id' }],
    [
      'an id that is no UUID',
      { type: 'message', content: 'Hi', client_message_id: 'one' },
      { field: 'client_message_id' },
    ],
    ['a type that does not exist', { type: 'shout' }, { field: 'type' }],
  ])('names the field and the limit of %s [D3, D26]', async (_what, frame, named) => {
    const { client } = await open([]);
    client.send(frame);
    const error = await client.frame('error');
    expect(error).toMatchObject({ code: 'INVALID_FORMAT', ...named });
    const { field, limit } = named as { field: string; limit?: number };
    expect(error.message).toContain(field);
    if (limit !== undefined) expect(error.message).toContain(String(limit));
  });

  it('says when to send a message again to a conversation that is busy [D3]', async () => {
    const { client } = await open([[{ wait: new Promise<void>(() => {}) }]]);
    client.say('Hi');
    const { conversation_id } = await client.frame('started');
    client.say('Again', { conversation_id });
    expect(await client.frame('error')).toMatchObject({ code: 'BUSY', retry_after: 1, conversation_id });
  });

  it('has a code and a wait for frames that come too fast [D3]', async () => {
    const { client } = await open([]);
    const frame = JSON.stringify({ type: 'list_tools' });
    for (let count = 0; count < 2_000; count += 1) client.send(frame);
    expect(await client.frame('error')).toMatchObject({ code: 'RATE_LIMITED', retry_after: 1 });
  });

  it('has a code for an answer that a pause refuses [D3]', async () => {
    const { client, flow } = await open([[{ call: 'pay', id: 'a', input: { to: 'Alice', amount: 3 } }]]);
    client.say('Pay');
    const { approval_id } = await client.frame('tool_approval_request');
    await flow.tools.pause({ principal: { id: 'op', name: 'Op' }, tool: 'pay', reason: 'Audit.' });
    client.send({ type: 'tool_approval_response', approval_id, approved: true });
    expect(await client.frame('error')).toMatchObject({ code: 'PAUSED', approval_id });
  });
});

describe('chat socket: cancelling is no error of a tool', () => {
  const deaf = (held: Promise<void>) =>
    tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        await held;
        throw new Error('Too late.');
      },
    });

  it.each<[string, (client: Awaited<ReturnType<typeof connectChatSocket>>) => void]>([
    ['the turn', (client) => client.send({ type: 'cancel' })],
    ['the call', (client) => client.send({ type: 'tool_cancel', tool_call_id: 'a' })],
  ])(
    'when a person cancels %s while a tool runs that does not stop, and fails later [D21]',
    async (_what, cancel) => {
      const held = gate();
      const { client } = await open([[{ call: 'deaf', id: 'a' }], [{ text: 'Then not.' }]], {
        tools: { deaf: deaf(held.passed) },
        stopGraceMs: 1,
      });
      client.say('go');
      await client.frame('tool_start');
      cancel(client);
      await client.frame('error');
      held.open();
      const errors = (await client.complete()).filter(({ type }) => type === 'error');
      expect(errors).toEqual([
        {
          type: 'error',
          code: 'TOOL_CANCELLED',
          message: expect.stringMatching(/^deaf: /),
          recoverable: true,
          tool_call_id: 'a',
          ...ofTurn,
        },
      ]);
    },
  );

  it('when the turn is stopped elsewhere, with an open question [D21]', async () => {
    const { client, flow } = await open([[{ call: 'pay', id: 'a', input: { to: 'Alice', amount: 3 } }]]);
    client.say('Pay');
    const { conversation_id } = await client.frame('tool_approval_request');
    await flow.chats.stop({ chatId: conversation_id as never, principal: { id: 'ada', name: 'Ada' } });
    const codes = (await client.complete()).flatMap((frame) => (frame.type === 'error' ? [frame.code] : []));
    expect(codes).toEqual(['TOOL_CANCELLED']);
  });
});
