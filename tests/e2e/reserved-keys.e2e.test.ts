import { DefaultChatTransport, type ToolSet, tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { openPage } from '../support/open-page.ts';
import { serveFixture } from '../support/serve-fixture.ts';

/** The SDK's client refuses a whole chunk with such a key. */
const row: unknown = JSON.parse(
  '{"rows":[{"__proto__":{"a":1},"constructor":{"prototype":2},"name":"Ada"}]}',
);
const renamed = { rows: [{ '[__proto__]': { a: 1 }, '[constructor]': { prototype: 2 }, name: 'Ada' }] };

/** A tool whose result, and what it has so far, have keys that are reserved. */
const tools: ToolSet = {
  weather: tool({
    inputSchema: z.object({}),
    async *execute() {
      yield row;
      yield row;
    },
  }),
};

it.each([
  ['SSE', (url: string) => sseClient.connect(url).transport],
  ['SSE of the SDK', (url: string) => new DefaultChatTransport({ api: `${url}/api/chat` })],
  ['BIDI', (url: string) => bidiClient.connect(url).transport],
] as const)(
  '%s: reserved keys of a result are renamed, live and in the stored chat [D9]',
  async (_name, connect) => {
    const warned: unknown[] = [];
    const logger = { warn: (...said: unknown[]) => warned.push(said), error: () => {} };
    const script = [[{ call: 'weather', id: 'w', input: {} }], [{ text: 'Sunny.' }]];
    const { url, api, model } = await serveFixture(script, { tools, logger });
    const page = openPage({ id: 'chat', transport: connect(url) });
    page.send('Weather?');
    const message = await page.waitForFinal();
    const result = { type: 'tool-weather', toolCallId: 'w', state: 'output-available', output: renamed };
    expect(message.parts).toContainEqual(expect.objectContaining(result));
    const stored = await (await fetch(`${api}/chat`)).json();
    expect(stored.messages.at(-1).parts).toContainEqual(expect.objectContaining(result));
    expect(model.calls[1]?.prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'json', value: renamed } },
    ]);
    expect(warned).toContainEqual([
      'Keys of a result were renamed, because clients refuse them: `__proto__` and `constructor.prototype`.',
      { toolName: 'weather', toolCallId: 'w' },
    ]);
  },
);
