// depends on: only its imports
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chat } from '@ai-sdk/react';
import type { ChatTransport, UIMessage } from 'ai';
import { checkResponseTiming, readRecording, recordTransport, replayTransport } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { barrier } from '../support/barrier.ts';
import { bidiClient, type ChatClient, sseClient } from '../support/chat-clients.ts';
import { plain } from '../support/client-message.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';

const clients = [sseClient, bidiClient].map((client) => [client.name, client] as const);

/** A chat over a transport, and all arguments of `onData`. */
function openChat(client: ChatClient, transport: ChatTransport<UIMessage>, clientTools?: readonly string[]) {
  const data: unknown[] = [];
  const chat = new Chat<UIMessage>({
    id: 'chat',
    transport,
    sendAutomaticallyWhen: client.predicate(clientTools),
    onData: (part) => data.push(plain(part)),
  });
  onTestFinished(() => chat.dispose());
  return { chat, data };
}

/** Records a chat into a file while `act` uses it. */
async function record(
  client: ChatClient,
  served: Awaited<ReturnType<typeof serveFixture>>,
  act: (chat: Chat<UIMessage>) => Promise<void>,
  clientTools?: readonly string[],
) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'chat.ndjson');
  const write = (line: string) => writeFileSync(path, `${line}\n`, { flag: 'a' });
  const live = client.connect(served.url, clientTools).transport;
  const { chat, data } = openChat(client, recordTransport(live, { write, clientTools }), clientTools);
  await act(chat);
  return { text: readFileSync(path, 'utf8'), messages: plain(chat.messages), data };
}

const settled = (chat: Chat<UIMessage>, text: string) =>
  waitFor(() => {
    expect(chat.status).toBe('ready');
    expect(JSON.stringify(chat.messages.at(-1)?.parts)).toContain(text);
  });

async function approveAll(chat: Chat<UIMessage>) {
  await chat.sendMessage({ text: 'Search and update database' });
  chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: true });
  await settled(chat, 'update_database');
  chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: false, reason: 'Not today.' });
  await settled(chat, 'Database updated.');
}

describe('a recorded chat', () => {
  it.each(clients)('%s: replays to the identical message, without a server', async (_name, client) => {
    const served = await serveFixture(workedExample, { tools: databaseTools().tools });
    const { text, messages, data } = await record(client, served, approveAll);
    const asked = served.model.calls.length;

    const transport = replayTransport(text);
    const replayed = openChat(client, transport);
    await approveAll(replayed.chat);
    expect(plain(replayed.chat.messages.at(-1))).toEqual(messages.at(-1));
    expect(replayed.data).toEqual(data);
    expect(transport.remaining()).toBe(0);
    expect(served.model.calls).toHaveLength(asked);
    expect(readRecording(text).exchanges).toHaveLength(3);
  });

  it.each(clients)('%s: can be read and checked', async (_name, client) => {
    const { text } = await record(
      client,
      await serveFixture(workedExample, { tools: databaseTools().tools }),
      approveAll,
    );
    const { exchanges } = readRecording(text);
    expect(
      checkResponseTiming(
        exchanges.map(({ chunks }) => chunks),
        { finished: true },
      ),
    ).toEqual([]);
    expect(exchanges.map(({ request }) => request.trigger)).toEqual(Array(3).fill('submit-message'));
    expect(exchanges[2]?.request.answers).toEqual([
      { approvalId: expect.any(String), approved: false, reason: 'Not today.' },
    ]);
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .every((line) => JSON.parse(line).type.length > 0),
    ).toBe(true);
  });

  it.each(clients)('%s: contains the outputs of client tools, and a resume', async (_name, client) => {
    const midway = barrier();
    const script = [
      [{ call: 'theme', id: 't' }],
      [{ text: 'You ' }, { wait: midway.wait }, { text: 'see.' }],
    ];
    const act = async (chat: Chat<UIMessage>) => {
      await chat.sendMessage({ text: 'Which theme?' });
      await chat.addToolOutput({ tool: 'theme', toolCallId: 't', output: 'dark' });
      midway.lift();
      await settled(chat, 'see.');
      await chat.resumeStream();
      await settled(chat, 'see.');
    };
    const { text, messages } = await record(client, await serveFixture(script), act, ['theme']);
    const transport = replayTransport(text, { clientTools: ['theme'] });
    const { chat } = openChat(client, transport, ['theme']);
    await act(chat);
    expect(plain(chat.messages.at(-1))).toEqual(messages.at(-1));
    expect(transport.remaining()).toBe(0);
    expect(
      readRecording(text)
        .exchanges.map(({ request }) => request.trigger)
        .at(-1),
    ).toBe('resume');
  });

  it.each(clients)('%s: replays a failed request as a failure', async (_name, client) => {
    const act = async (chat: Chat<UIMessage>) => {
      await chat.sendMessage({ text: 'x'.repeat(2 * 1024 ** 2) });
      expect(chat.error?.message).toContain('payload-too-large');
    };
    const { text } = await record(client, await serveFixture([]), act);
    await act(openChat(client, replayTransport(text)).chat);
  });

  it('refuses a request that is not in the recording, and names the expected one', async () => {
    const served = await serveFixture([[{ text: 'Hello.' }]]);
    const { text } = await record(sseClient, served, async (chat) => {
      await chat.sendMessage({ text: 'Good day.' });
    });
    const { chat } = openChat(sseClient, replayTransport(text));
    await chat.sendMessage({ text: 'Good night.' });
    expect(chat.error?.message).toMatch(/continues with .*Good day.*requested .*Good night/);
  });

  it.each(['{}', '{"type":"recording","version":2}', '{"type":"end","request":3}', 'x'])(
    'refuses a file that contains %s',
    (line) => {
      expect(() => readRecording(`${line}\n`)).toThrow();
    },
  );
});
