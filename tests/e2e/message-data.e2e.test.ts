import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { DefaultChatTransport } from 'ai';
import type { FlowSettings } from 'countersign';
import { collect, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { clientMessage } from '../support/client-message.ts';
import { flowFixture, questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

const pay = { call: 'pay', input: { to: 'Alice', amount: 30 } };
const script: ScriptedStep[] = [[{ text: 'May I?' }, pay], [{ text: 'Paid.' }]];

/** What a page sends: text for the model, and facts of its own. */
const sent = {
  id: 'user-1',
  role: 'user',
  metadata: { sentAt: 1, tags: ['a'] },
  parts: [
    { type: 'text', text: 'Pay Alice' },
    { type: 'data-invoice', id: 'invoice', data: { number: 7 } },
    { type: 'data-empty', data: null },
  ],
} satisfies UIMessage;

type Connect = (url: string) => ChatTransport<UIMessage>;

const forms: [string, Connect][] = [
  ['SSE, slim', (url) => sseClient.connect(url).transport],
  ['SSE, full history', (url) => new DefaultChatTransport({ api: `${url}/api/chat` })],
  ['WebSocket', (url) => bidiClient.connect(url).transport],
];

/** A served flow, and one client of it. */
async function opened(connect: Connect, settings: Partial<FlowSettings> = {}) {
  const fixture = await serveFixture(script, settings);
  const transport = connect(fixture.url);
  const client = clientMessage();
  const ask = async (...messages: UIMessage[]): Promise<UIMessageChunk[]> => {
    const request: Parameters<ChatTransport<UIMessage>['sendMessages']>[0] = {
      chatId: 'chat',
      trigger: 'submit-message',
      messageId: undefined,
      messages,
      abortSignal: undefined,
    };
    const chunks = await collect(await transport.sendMessages(request));
    await client.read(chunks);
    return chunks;
  };
  const stored = async (): Promise<UIMessage[]> =>
    (await (await fetch(`${fixture.api}/chat`)).json()).messages;
  return { ...fixture, client, ask, stored };
}

describe('metadata and data parts of a user message [H1, H4]', () => {
  it.each(forms)('%s: are stored with it, and the model does not see them', async (_form, connect) => {
    const { ask, stored, model } = await opened(connect);
    await ask(sent);
    expect((await stored())[0]).toEqual(sent);
    expect(model.calls[0]?.prompt).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'Pay Alice' }] },
    ]);
    expect(JSON.stringify(model.calls)).not.toContain('invoice');
  });
});

describe('a file in a user message [H1]', () => {
  const file = (url: string) => ({ type: 'file', mediaType: 'text/plain', url }) as const;

  it.each(forms)(
    '%s: is refused if its URL would make the run fail, and nothing is stored',
    async (_form, connect) => {
      const { ask, stored, model } = await opened(connect);
      await expect(
        ask({ id: 'user-1', role: 'user', parts: [file('data:text/plain,Hello')] }),
      ).rejects.toThrow('such as `data:image/png;base64,`');
      expect([await stored(), model.calls]).toEqual([undefined, []]);
      const parts = [file('data:text/plain;base64,SGVsbG8=')];
      await ask({ id: 'user-1', role: 'user', parts });
      expect((await stored())[0]).toMatchObject({ parts });
      expect(model.calls[0]?.prompt).toMatchObject([
        { content: [{ type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'SGVsbG8=' } }] },
      ]);
    },
  );
});

describe('`messageMetadata` [H2, H4]', () => {
  const asked: object[] = [];
  const settings: Partial<FlowSettings> = {
    messageMetadata: ({ part }) => {
      asked.push(part);
      return part.type === 'start'
        ? { cost: { currency: 'EUR' } }
        : { cost: { tokens: part.totalUsage.totalTokens }, reason: part.finishReason };
    },
  };
  const atStart = { cost: { currency: 'EUR' } };
  const atEnd = { cost: { currency: 'EUR', tokens: 30 }, reason: 'stop' };

  it.each(forms)(
    '%s: is asked at the start and the end of a turn, stored, and replayed',
    async (_form, connect) => {
      asked.length = 0;
      const { ask, stored, client, chat } = await opened(connect, settings);
      const first = await ask(sent);
      expect(first.find(({ type }) => type === 'start')).toMatchObject({ messageMetadata: atStart });
      expect(first.find(({ type }) => type === 'finish')).not.toHaveProperty('messageMetadata');
      expect((await stored())[1]?.metadata).toEqual(atStart);

      client.answer(questionIn(first), true);
      await ask(sent, client.value as UIMessage);
      expect(client.value).toMatchObject({ metadata: atEnd });
      expect((await stored())[1]?.metadata).toEqual(atEnd);
      expect(asked).toMatchObject([{ type: 'start' }, { type: 'finish', finishReason: 'stop' }]);

      const replay = clientMessage();
      await replay.read((await chat().resume()) ?? []);
      expect(replay.value).toMatchObject({ metadata: atEnd });
    },
  );

  it('is read from the log by another instance, which does not ask again', async () => {
    const first = flowFixture(script, settings);
    const approvalId = questionIn(await first.chat().say('Go.'));
    const other = flowFixture([[{ text: 'Paid.' }]], { store: first.store });
    const { answer, view } = other.chat();
    expect((await view()).messages.at(-1)?.metadata).toEqual(atStart);
    await answer(approvalId, true);
    expect((await view()).messages.at(-1)?.metadata).toEqual(atStart);
    await first.flow.close();
    await other.flow.close();
  });

  it('that fails, or returns no object, is logged, and the turn continues without it', async () => {
    const errors: string[] = [];
    const logger = { warn: () => {}, error: (message: string) => errors.push(message) };
    const messageMetadata: FlowSettings['messageMetadata'] = ({ part }) => {
      if (part.type === 'start') throw new Error('No metadata today.');
      return [part.finishReason];
    };
    const { chat, flow } = flowFixture([[{ text: 'Hi.' }]], { messageMetadata, logger });
    await chat().say('Hello.');
    const { messages, run } = await chat().view();
    expect(run.status).toBe('idle');
    expect(messages[1]).not.toHaveProperty('metadata');
    expect(errors).toEqual([
      '`messageMetadata` failed. The message has no metadata from it.',
      '`messageMetadata` must return an object. Its result is not used.',
    ]);
    await flow.close();
  });
});
