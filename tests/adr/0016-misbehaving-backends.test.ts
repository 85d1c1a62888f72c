import { readFileSync } from 'node:fs';
import type { ChatTransport, UIMessage } from 'ai';
import {
  checkResponseTiming,
  finalResponse,
  misbehaviours,
  recordTransport,
  replayTransport,
  scriptedModel,
  startBackend,
  startFlowServer,
} from 'countersign/testing';
import { expect, onTestFinished } from 'vitest';
import { streamOf } from '../../lib/testing/stream-of.ts';
import { adr } from '../support/adr.ts';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { connectSse } from '../support/connect-sse.ts';
import { modes } from '../support/modes.ts';
import { openPage } from '../support/open-page.ts';
import { playBackend } from '../support/play-backend.ts';
import type { ConnectRaw } from '../support/raw-client.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';
import { cannedBackend } from './rejected/canned-backend.ts';

const { clause } = adr('0016-misbehaving-backends.md');

/** The rules that a backend breaks when a client plays against it. */
async function rulesBrokenBy(connect: ConnectRaw, url: string, answers = [false, true]): Promise<string[]> {
  const played = await playBackend(connect, url, answers);
  const violations = played.flatMap(([responses, options]) => checkResponseTiming(responses, options));
  return [...new Set(violations.map(({ rule }) => rule))];
}

clause('0016.1', async () => {
  for (const [, connect] of modes) {
    for (const misbehaviour of [...misbehaviours, undefined]) {
      const backend = await startBackend(misbehaviour);
      const answers = misbehaviour?.name === 'denied-call-run' ? [false, true] : [true, true];
      const rules = await rulesBrokenBy(connect, backend.url, answers);
      await backend.close();
      expect(rules, misbehaviour?.name).toEqual(misbehaviour ? [misbehaviour.rule] : []);
    }
  }
});

/** Every package that a file of the library needs to be loaded. */
function packagesBehind(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return new Set();
  seen.add(file.href);
  const source = readFileSync(file, 'utf8');
  const packages = new Set<string>();
  // Type imports are removed when the library is built.
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)) {
    const found = name.startsWith('.') ? packagesBehind(new URL(name, file), seen) : [name];
    for (const each of found) packages.add(each);
  }
  return packages;
}

clause('0016.2', () => {
  const packages = packagesBehind(new URL('../../lib/testing/index.ts', import.meta.url));
  expect(packages).toContain('ai');
  expect([...packages].filter((name) => /react|testing-library|vitest|jsdom|^pg$/.test(name))).toEqual([]);
});

clause('0016.3', async () => {
  for (const client of [sseClient, bidiClient]) {
    const server = await startFlowServer({
      model: scriptedModel(workedExample),
      tools: databaseTools().tools,
    });
    onTestFinished(() => server.close());
    const { transport } = client.connect(server.url);
    const page = openPage({ id: 'chat', transport, sendAutomaticallyWhen: client.predicate() });
    page.send('Search and update database');
    await page.approve('search_database');
    await page.deny('update_database');
    const message = await page.waitForFinal();
    const stored = await (await fetch(`${server.api}/chat`)).json();
    expect(message).toEqual(stored.messages.at(-1));
  }
});

clause('0016.4', async () => {
  const transport: ChatTransport<UIMessage> = {
    sendMessages: async () => streamOf(finalResponse({ texts: ['Yes.'] })),
    reconnectToStream: async () => null,
  };
  const say = async (length: number) => {
    const lines: string[] = [];
    const recorded = recordTransport(transport, { write: (line) => lines.push(line) });
    const messages = Array.from({ length }, (_, index): UIMessage => {
      return {
        id: `m${index}`,
        role: index % 2 === 0 ? 'user' : 'assistant',
        parts: [{ type: 'text', text: '?' }],
      };
    });
    const last: UIMessage = { id: 'last', role: 'user', parts: [{ type: 'text', text: 'Really?' }] };
    const request = { chatId: 'chat', messageId: undefined, abortSignal: undefined };
    const ask = async (through: ChatTransport<UIMessage>) => {
      const stream = await through.sendMessages({
        ...request,
        trigger: 'submit-message',
        messages: [...messages, last],
      });
      return Array.fromAsync(stream);
    };
    const live = await ask(recorded);
    expect(await ask(replayTransport(lines))).toEqual(live);
    return lines.find((line) => line.includes('"request"'))?.length;
  };
  expect(await say(1_000)).toBe(await say(0));
});

clause('0016.5', async () => {
  const canned = await cannedBackend();
  const rules = await rulesBrokenBy(connectSse, canned.url);
  await canned.close();
  expect(rules).toContain('T2');
  expect(rules).toContain('T8');
  const honest = await startBackend(
    misbehaviours.find(({ name }) => name === 'text-in-intermediate-response'),
  );
  expect(await rulesBrokenBy(connectSse, honest.url)).toEqual(['T2']);
  await honest.close();
});
