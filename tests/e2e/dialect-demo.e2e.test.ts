import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolSet } from 'ai';
import { createApprovalFlow } from 'countersign';
import { escalation } from 'countersign/plugins/escalation';
import { remembered } from 'countersign/plugins/remembered';
import { votes } from 'countersign/plugins/votes';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDemoDatabase } from '../../app/_data/demo-database.ts';
import { openDemoMcp } from '../../app/_mcp/client.ts';
import { demoModel } from '../../app/_model/demo-model.ts';
import { createDemoTools } from '../../app/_tools/index.ts';
import { connectChatSocket } from '../contract/dialects/support/chat-socket-client.ts';
import { answerOverHttp, serveInDialects } from '../contract/dialects/support/serve-dialects.ts';
import { openToolEvents } from '../contract/dialects/support/tool-events-client.ts';
import { startStream, streamEvents } from '../contract/dialects/support/two-step-client.ts';

/** The reference app's model and tools, including a real MCP server, behind every dialect. */
async function serveDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  const database = openDemoDatabase(folder);
  const mcp = await openDemoMcp();
  const store = sqliteStore({ path: ':memory:' });
  const { tools, ...rest } = createDemoTools({ database, docsFolder: process.cwd(), mcpTools: mcp.tools });
  const flow = createApprovalFlow({
    store,
    model: demoModel(),
    tools: tools as ToolSet,
    ...(rest as object),
    plugins: [escalation(), remembered(), votes()],
    retry: { delayMs: 0 },
    logger: { warn: () => {}, error: () => {} },
  });
  onTestFinished(async () => {
    await flow.close();
    await store.close();
    await mcp.close();
    database.close();
    rmSync(folder, { recursive: true });
  });
  return {
    url: await serveInDialects(flow),
    payments: () => database.listPayments().map(({ amount }) => amount),
  };
}

/** What a user sees of a prompt in any dialect: each call with its outcome, in call order, and the text. */
type Seen = {
  readonly calls: readonly (readonly [tool: string, outcome: 'ok' | 'error'])[];
  readonly text: string;
};

/** Plays a prompt to its end, answering each question with the next answer. */
type Play = (url: string, prompt: string, answers?: readonly boolean[]) => Promise<Seen>;

const dialects: Record<string, Play> = {
  async 'tool-events'(url, prompt, answers = []) {
    const pending = [...answers];
    const tools = new Map<string, string>();
    const calls: [string, 'ok' | 'error'][] = [];
    let text = '';
    for await (const frame of await openToolEvents(url, prompt, { acceptApprovals: true })) {
      if (frame.type === 'text_delta') text += frame.content;
      if (frame.type === 'tool_call_start') tools.set(frame.toolCallId, frame.toolName);
      if (frame.type === 'tool_call_end') calls.push([tools.get(frame.toolCallId) ?? '', 'ok']);
      if (frame.type === 'tool_call_error') calls.push([tools.get(frame.toolCallId) ?? '', 'error']);
      if (frame.type === 'approval_request') {
        await answerOverHttp(url, frame.approvalId, { approved: pending.shift() });
      }
    }
    return { calls, text };
  },

  async 'two-step-stream'(url, prompt, answers = []) {
    const pending = [...answers];
    const titles = new Map<string, string>();
    const calls: [string, 'ok' | 'error'][] = [];
    let text = '';
    let next: string | undefined = (await startStream(url, prompt)).stream_id;
    while (next !== undefined) {
      const events = await streamEvents(url, next);
      next = undefined;
      for (const { type, data } of events) {
        if (type === 'message_chunk') text += data.text;
        if (type === 'tool_call') titles.set(data.tool_call_id, data.title);
        if (type === 'tool_response') calls.push([titles.get(data.tool_call_id) ?? '', 'ok']);
        if (type === 'error') calls.push([titles.get(data.tool_call_id ?? '') ?? '', 'error']);
        if (type === 'approval_request') {
          next = (await answerOverHttp(url, data.approval_id, { approved: pending.shift() })).body.stream_id;
        }
      }
    }
    return { calls, text };
  },

  async 'chat-socket'(url, prompt, answers = []) {
    const client = await connectChatSocket(url);
    client.say(prompt);
    for (const [index, approved] of answers.entries()) {
      const { approval_id } = await client.frame('tool_approval_request', index + 1);
      client.send({ type: 'tool_approval_response', approval_id, approved });
    }
    const calls: [string, 'ok' | 'error'][] = [];
    let text = '';
    for (const frame of await client.complete()) {
      if (frame.type === 'token') text += frame.content;
      if (frame.type === 'tool_complete') calls.push([frame.tool_name, 'ok']);
      if (frame.type === 'error') calls.push([frame.message.split(':')[0] ?? '', 'error']);
    }
    return { calls, text };
  },
};

const prompts: readonly [
  prompt: string,
  answers: readonly boolean[],
  outcomes: readonly ('ok' | 'error')[],
  text: RegExp,
][] = [
  ['Hello there', [], [], /\w/],
  ['multiply 5 and 4', [], ['ok'], /20/],
  ['search the web for tea', [], ['ok'], /\w/],
  ['search files for approval', [], ['ok'], /\w/],
  ['What is the weather in Tokyo?', [], ['ok'], /Tokyo/],
  ['call the flaky service', [], ['ok'], /\w/],
  ['call the broken service', [], ['error'], /\w/],
  ['call the strict service badly', [], ['error'], /\w/],
  ['Pay Alice 30 and Bob 40', [true, true], ['ok', 'ok'], /Alice.*Bob/s],
  ['Pay Alice 30 and Bob 40', [true, false], ['ok', 'error'], /Alice.*Bob/s],
  ['Search and update database', [true, true], ['ok', 'ok'], /Database updated\./],
  ['Where am I?', [], ['error'], /\w/],
];

describe.each(Object.keys(dialects))('the demo over %s', (dialect) => {
  const play: Play = (...asked) =>
    dialects[dialect]?.(...asked) ?? Promise.reject(new Error('No such dialect.'));

  it.each(prompts)('plays “%s” (answers: %j) to its end', async (prompt, answers, outcomes, text) => {
    const { url, payments } = await serveDemo();
    const seen = await play(url, prompt, answers);
    expect(seen.calls.map(([, outcome]) => outcome)).toEqual(outcomes);
    expect(seen.text).toMatch(text);
    const paid = prompt.startsWith('Pay') ? [30, 40].filter((_amount, index) => answers[index]) : [];
    expect(payments()).toEqual(paid);
  });
});

describe('the demo over the chat socket', () => {
  it('multiplies 5 and 4 on a real MCP server: start, "20", tokens, complete, saved [D5, D6, D9, D17, D25]', async () => {
    const { url } = await serveDemo();
    const client = await connectChatSocket(url);
    client.say('multiply 5 and 4');
    const frames = await client.complete();
    expect(await client.frame('tool_start')).toMatchObject({
      tool_name: 'multiply',
      tool_input: '{"a":5,"b":4}',
    });
    expect(await client.frame('tool_complete')).toMatchObject({ tool_name: 'multiply', tool_result: '20' });
    expect(frames.at(-1)?.type).toBe('complete');
    const { conversation_id, message_id } = await client.frame('complete');
    const saved = await (await fetch(`${url}/api/chat/${conversation_id}`)).json();
    expect(saved.messages.at(-1).id).toBe(message_id);
  });
});
