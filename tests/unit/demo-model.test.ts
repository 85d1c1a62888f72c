import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamText } from 'ai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DemoDatabase } from '../../app/_data/demo-database.ts';
import { openDemoDatabase } from '../../app/_data/demo-database.ts';
import type { DemoMcp } from '../../app/_mcp/client.ts';
import { openDemoMcp } from '../../app/_mcp/client.ts';
import { demoModel } from '../../app/_model/demo-model.ts';
import { createDemoTools } from '../../app/_tools/index.ts';
import { play } from './demo-play.ts';

let mcp: DemoMcp;
let folder: string;
let database: DemoDatabase;
let tools: ReturnType<typeof createDemoTools>['tools'];

beforeAll(async () => {
  mcp = await openDemoMcp();
});
afterAll(() => mcp.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-model-'));
  writeFileSync(join(folder, 'README.md'), '# Lanterns\n\nA lantern festival is held in winter.\n');
  database = openDemoDatabase(folder);
  tools = createDemoTools({ database, docsFolder: folder, mcpTools: mcp.tools }).tools;
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe('the demo model [H-Demo]', () => {
  it.each([
    [
      'Search and update database',
      [[['search_database', {}]], [['update_database', { status: 'reviewed' }]], []],
      ['Let me look.', 'Found 10 users.', 'Database updated.'],
    ],
    [
      'search the database for Tokyo',
      [[['search_database', { query: 'Tokyo' }]], []],
      ['Let me look.', 'Found 1 user.'],
    ],
    ['UPDATE DATABASE', [[['update_database', { status: 'reviewed' }]], []], ['', 'Database updated.']],
    [
      'Pay Alice 30 and Bob 40',
      [
        [
          ['process_payment', { recipient: 'Alice', amount: 30 }],
          ['process_payment', { recipient: 'Bob', amount: 40 }],
        ],
        [],
      ],
      ['', 'Alice was paid 30 USD. Bob was paid 40 USD.'],
    ],
    [
      'please pay Zoë 12.50, Bob 40 and Carol 5.',
      [
        [
          ['process_payment', { recipient: 'Zoë', amount: 12.5 }],
          ['process_payment', { recipient: 'Bob', amount: 40 }],
          ['process_payment', { recipient: 'Carol', amount: 5 }],
        ],
        [],
      ],
      ['', 'Zoë was paid 12.5 USD. Bob was paid 40 USD. Carol was paid 5 USD.'],
    ],
    [
      'What is the weather in Tokyo?',
      [[['get_weather', { location: 'Tokyo' }]], []],
      ['', expect.stringMatching(/^It is \d+ °C and [a-z ]+ in Tokyo\.$/)],
    ],
    ['multiply 5 and 4', [[['multiply', { a: 5, b: 4 }]], []], ['', '5 times 4 is 20.']],
    [
      'Release version 2.1',
      [[['release_version', { version: '2.1' }]], []],
      ['', 'Version 2.1 was released.'],
    ],
    [
      'please refund order 1007',
      [[['refund_order', { orderNumber: 1007, amount: 250 }]], []],
      ['', 'Order 1007: 250 USD were refunded.'],
    ],
    [
      'Plan my trip',
      [[['ask_for_dates', { question: 'When does your trip begin, and for how many nights?' }]]],
      [''],
    ],
    [
      'Search the web for moon landing timeline',
      [[['web_search', { query: 'moon landing timeline' }]], []],
      [
        '',
        expect.stringMatching(
          /^Found \d pages about moon landing timeline: Timeline of the first Moon landing;/,
        ),
      ],
    ],
    [
      'search files for lanterns',
      [[['file_search', { query: 'lanterns' }]], []],
      ['', 'Found 1 section about lanterns: Lanterns (README.md).'],
    ],
    [
      'search files for submarines',
      [[['file_search', { query: 'submarines' }]], []],
      ['', 'Nothing was found for "submarines".'],
    ],
    [
      'call the flaky service',
      [[['flaky_service', {}]], []],
      ['', 'The flaky service could not be used (The flaky service responded with 503 Service Unavailable).'],
    ],
    [
      'Call the broken service!',
      [[['broken_service', {}]], []],
      [
        '',
        'The broken service could not be used (The broken service responded with 503 Service Unavailable).',
      ],
    ],
    [
      'call the strict service badly',
      [[['strict_service', { orderNumber: 'not a number' }]], []],
      [
        '',
        expect.stringMatching(
          /^The strict service could not be used \(Invalid input for tool strict_service/,
        ),
      ],
    ],
    ['Tell me a joke', [[]], [expect.stringMatching(/^I am a scripted demo model, so try .*\.$/)]],
    ['How do I pay?', [[]], [expect.stringMatching(/^I am a scripted demo model/)]],
    ["What's the weather?", [[]], [expect.stringMatching(/^I am a scripted demo model/)]],
  ])('plays %j', async (request, calls, texts) => {
    const played = await play(request, tools);
    expect(played.calls).toEqual(calls);
    expect(played.texts).toEqual(texts);
  });

  it('writes real rows: one for each payment, and every user reviewed', async () => {
    await play('Pay Alice 30 and Bob 40', tools);
    await play('Search and update database', tools);
    expect(database.listPayments().map(({ recipient, amount }) => [recipient, amount])).toEqual([
      ['Alice', 30],
      ['Bob', 40],
    ]);
    expect(database.searchUsers({ status: 'reviewed' })).toHaveLength(10);
  });

  it('ends the step at a call of a client tool, and reports what the client answered', async () => {
    const asked = await play('Where am I?', tools);
    expect(asked.calls).toEqual([[['get_location', {}]]]);
    const toolCallId = asked.steps[0]?.toolCalls[0]?.toolCallId ?? '';
    const told = await play(
      [
        { role: 'user', content: 'Where am I?' },
        ...asked.messages,
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId,
              toolName: 'get_location',
              output: { type: 'json', value: { latitude: 48.2, longitude: 16.37, accuracy: 12.4 } },
            },
          ],
        },
      ],
      tools,
    );
    expect(told.texts).toEqual(['You are at latitude 48.2 and longitude 16.37, within 12 m.']);
  });

  it('gives every call its own id, even if the same request is made again', async () => {
    const first = await play('Pay Alice 30 and Bob 40', tools);
    const second = await play(
      [
        { role: 'user', content: 'Pay Alice 30 and Bob 40' },
        ...first.messages,
        { role: 'user', content: 'Pay Alice 30 and Bob 40' },
      ],
      tools,
    );
    const ids = [first, second].flatMap(({ steps }) =>
      steps.flatMap((step) => step.toolCalls.map(({ toolCallId }) => toolCallId)),
    );
    expect(new Set(ids).size).toBe(4);
    expect(database.listPayments().map(({ toolCallId }) => toolCallId)).toEqual(ids);
  });

  it('calls no tool that it was not offered', async () => {
    const played = await play('multiply 5 and 4', { get_weather: tools.get_weather });
    expect(played.calls).toEqual([[]]);
    expect(played.texts).toEqual(['I cannot do that here: I have no tool "multiply".']);
  });

  it('streams its text word by word and reports its tokens', async () => {
    const result = streamText({ model: demoModel(), prompt: 'Hello', tools });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas.length).toBeGreaterThan(20);
    expect((await result.usage).outputTokens).toBeGreaterThan(20);
    expect((await result.usage).inputTokens).toBe(2);
    expect(await result.finishReason).toBe('stop');
  });

  it('stops in the middle of a pause when it is aborted', async () => {
    const abort = new AbortController();
    const { stream } = await demoModel({ delayMs: 3_600_000 }).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      abortSignal: abort.signal,
    });
    const reader = stream.getReader();
    expect((await reader.read()).value).toMatchObject({ type: 'stream-start' });
    expect((await reader.read()).value).toMatchObject({ type: 'text-start' });
    const paused = reader.read();
    abort.abort();
    await expect(paused).rejects.toMatchObject({ name: 'AbortError' });
  });
});
