import { readFileSync } from 'node:fs';
import { tool, type UIMessageChunk } from 'ai';
import { createApprovalFlow, type FlowSettings } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { readResponse, scriptedModel } from 'countersign/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerSteps } from '../../lib/commands/answer/answer-steps.ts';
import type { Dialect } from '../../lib/server/dialect.ts';
import { everyDialect, everyPlugin } from '../support/every-plugin.ts';
import { isForwarder } from '../support/find-function.ts';
import { type Entered, traceCalls } from '../support/trace-calls.ts';

const mostFiles = 10;

type Journey = 'message' | 'answer';

/** The functions that were entered on the way to the model (of a message) and to `execute` (of an answer). */
type Ways = Record<Journey, Entered[]>;

let ways: Ways;
let waysWithPlugins: Ways;

beforeAll(async () => {
  ways = await traceTurn({});
  waysWithPlugins = await traceTurn(everyPlugin, everyDialect);
});

/** A turn with one question. */
async function traceTurn(settings: Partial<FlowSettings>, dialects: readonly Dialect[] = []): Promise<Ways> {
  const ways: Ways = { message: [], answer: [] };
  const model = scriptedModel([[{ call: 'pay', id: 'c1', input: { amount: 30 } }], [{ text: 'Paid.' }]]);
  const trace = traceCalls();
  const flow = createApprovalFlow({
    ...settings,
    store: sqliteStore({ path: ':memory:' }),
    model: {
      ...model,
      doStream(options: Parameters<typeof model.doStream>[0]) {
        if (ways.message.length === 0) ways.message = trace.path();
        return model.doStream(options);
      },
    },
    tools: {
      pay: tool({
        inputSchema: z.object({ amount: z.number() }),
        needsApproval: true,
        execute: async () => {
          ways.answer = trace.path();
          return 'paid';
        },
      }),
    },
  });
  const handler = createFetchHandler(flow, { authorize: () => ({ id: 'ada', name: 'Ada' }), dialects });
  const post = async (body: object): Promise<UIMessageChunk[]> => {
    const whole = JSON.stringify({ id: 'chat', trigger: 'submit-message', ...body });
    const headers = { 'content-type': 'application/json' };
    const url = 'http://127.0.0.1/api/chat';
    return readResponse(await handler(new Request(url, { method: 'POST', headers, body: whole })));
  };
  const asked = await post({ message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] } });
  const question = asked.find((chunk) => chunk.type === 'tool-approval-request');
  await post({ answers: [{ approvalId: question?.approvalId, approved: true }] });
  trace.end();
  await flow.close();
  return ways;
}

describe.each<[journey: Journey, heading: string]>([
  ['answer', '## From an answer to `execute`'],
  ['message', '## From a message to the model'],
])('on its way through the code, a request with %s', (journey, heading) => {
  it.each([
    ['no plugin', () => ways],
    ['all plugins', () => waysWithPlugins],
  ])('enters at most ten files, and none of them twice, with %s', (plugins, traced) => {
    const way = traced()[journey];
    const files = stationsOf(way).map(({ file }) => file);
    console.log(`${heading.slice(3)}, with ${plugins}\n${printed(way)}`);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(mostFiles);
    expect(new Set(files).size).toBe(files.length);
  });

  it('meets no function that only passes the call on', () => {
    const forwarders = ways[journey].filter((place) => isForwarder(readFileSync(place.file, 'utf8'), place));
    expect(forwarders).toEqual([]);
  });

  it('passes the stations of docs/architecture.md, in order', () => {
    expect(printed(ways[journey])).toBe(
      documented(heading)
        .map(({ title }) => title)
        .join('\n'),
    );
  });

  it('meets the lines that docs/architecture.md quotes', () => {
    for (const { title, quotes } of documented(heading)) {
      const file = title.split(': ')[0] ?? '';
      const source = undented(readFileSync(file, 'utf8'));
      expect(quotes.length, title).toBeGreaterThan(0);
      for (const quote of quotes) expect(source, title).toContain(undented(quote));
    }
  });
});

it('the steps of an answer are those of docs/architecture.md, in their order', () => {
  const page = readFileSync('docs/architecture.md', 'utf8').split('## The steps of an answer')[1] ?? '';
  const rows = [...page.matchAll(/^\| ([a-z-]+) \| (answers|approvals) \|/gm)];
  expect(answerSteps.map(({ name, of }) => [name, of])).toEqual(rows.map(([, name, of]) => [name, of]));
});

describe('a function that only passes its call on', () => {
  it.each<[boolean, string]>([
    [true, 'const respond = (request) => answer(engine, request);'],
    [true, 'async function respond(request) { return await answer(engine, request); }'],
    [true, 'const table = { respond(request) { answer(request); } };'],
    [false, 'function respond(request) { check(request); return answer(request); }'],
    [false, 'const respond = (request) => request.isNew ? begin(request) : answer(request);'],
  ])('is found: %s in %s', (expected, source) => {
    const column = source.indexOf('answer(') + 1;
    expect(isForwarder(source, { line: 1, column })).toBe(expected);
  });
});

type Station = { readonly file: string; readonly functions: readonly string[] };

/** Functions by file, as long as the file stays the same. */
function stationsOf(way: readonly Entered[]): Station[] {
  const stations: { file: string; functions: string[] }[] = [];
  for (const { file, name } of way) {
    if (stations.at(-1)?.file !== file) stations.push({ file, functions: [] });
    if (name !== '') stations.at(-1)?.functions.push(name);
  }
  return stations;
}

function printed(way: readonly Entered[]): string {
  return stationsOf(way)
    .map(({ file, functions }) => [file, functions.join(', ') || 'handler'].join(': '))
    .join('\n');
}

/** The stations of one section: `### 1. file: functions`, and the lines that it quotes. */
function documented(heading: string): { title: string; quotes: string[] }[] {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const section = text.split(`${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split(/^### \d+\. /m)
    .slice(1)
    .map((part) => ({
      title: (part.split('\n')[0] ?? '').replaceAll('`', ''),
      quotes: [...part.matchAll(/^```text\n(.*?)^```$/gms)].map(([, quote = '']) => quote),
    }));
}

function undented(text: string): string {
  return text.replaceAll(/^ +/gm, '').trim();
}
