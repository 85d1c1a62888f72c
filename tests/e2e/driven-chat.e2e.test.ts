import { isToolUIPart } from 'ai';
import {
  checkResponseTiming,
  misbehaviours,
  readRecording,
  recordTransport,
  scriptedModel,
  startBackend,
  startFlowServer,
} from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bidiClient, type ChatClient, sseClient } from '../support/chat-clients.ts';
import { openPage } from '../support/open-page.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';

const clients = [sseClient, bidiClient].map((client) => [client.name, client] as const);

/** A page on a server, and a recording of its traffic. */
function openRecorded(client: ChatClient, url: string, timeoutMs?: number) {
  const lines: string[] = [];
  const { transport } = client.connect(url);
  const page = openPage({
    id: 'chat',
    transport: recordTransport(transport, { write: (line) => lines.push(line) }),
    sendAutomaticallyWhen: client.predicate(),
    timeoutMs,
  });
  return { page, exchanges: () => readRecording(lines).exchanges };
}

async function serveWorkedExample() {
  const { tools, effects } = databaseTools();
  const server = await startFlowServer({ model: scriptedModel(workedExample), tools });
  onTestFinished(() => server.close());
  return { server, effects };
}

async function misbehaving(name: string) {
  const backend = await startBackend(misbehaviours.find((candidate) => candidate.name === name));
  onTestFinished(() => backend.close());
  return backend;
}

describe('a chat served, driven, recorded and checked by the kit', () => {
  it.each(clients)('%s: the worked example', async (_name, client) => {
    const { server, effects } = await serveWorkedExample();
    const { page, exchanges } = openRecorded(client, server.url);
    page.send('Search and update database');
    const first = await page.waitForQuestion();
    expect(first).toMatchObject({ toolName: 'search_database', approvalId: expect.any(String) });
    await page.approve('search_database');
    await page.deny('update_database', 'Not today.');
    const message = await page.waitForFinal();

    expect(effects).toEqual(['searched users']);
    expect(message).toEqual(page.messages.at(-1));
    expect(message.parts.filter(({ type }) => type === 'text')).toHaveLength(3);
    const responses = exchanges().map(({ chunks }) => chunks);
    expect(checkResponseTiming(responses, { finished: true })).toEqual([]);
  });

  it.each(clients)('%s: a page that times out reports what is there instead', async (_name, client) => {
    const { server } = await serveWorkedExample();
    const { page } = openRecorded(client, server.url, 50);
    await expect(page.waitForQuestion()).rejects.toThrow('0 questions are open (status ready');
    page.send('Search and update database');
    await openRecorded(client, server.url);
    await expect(page.approve('pay')).rejects.toThrow('0 questions are open for pay');
    await expect(page.waitForDraft('nothing of this')).rejects.toThrow('The draft is');
    await expect(page.waitForStatus('error')).rejects.toThrow('The chat is not error');
  });

  it.each(clients)('%s: two questions at once are not mistaken for one', async (_name, client) => {
    const { page } = openRecorded(client, (await misbehaving('parallel-questions')).url, 500);
    page.send('Pay them.');
    await expect.poll(() => page.messages.at(-1)?.parts.filter(isToolUIPart).length).toBe(2);
    await page.waitForStatus('ready');
    await expect(page.waitForQuestion()).rejects.toThrow('2 questions are open');
  });

  it('over BIDI, whose predicate reads the whole message, an empty reply makes it send repeatedly', async () => {
    const backend = await misbehaving('empty-reply');
    const { page, exchanges } = openRecorded(bidiClient, backend.url);
    page.send('Pay them.');
    await page.approve();
    await page.waitForStatus('ready');
    await page.approve();
    await expect.poll(() => exchanges().length, { interval: 5 }).toBeGreaterThan(5);
    expect(backend.payments).toHaveLength(2);
    const judged = checkResponseTiming(exchanges().map(({ chunks }) => chunks));
    expect(judged.map(({ rule }) => rule)).toContain('T15');
    page.leave();
  });
});
