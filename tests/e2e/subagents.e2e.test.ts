import { Chat } from '@ai-sdk/react';
import {
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
  WebSocketChatTransport,
} from 'ai';
import type { FlowSettings } from 'countersign';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { checkResponseTiming, readRecording, recordTransport } from 'countersign/testing';
import { expect, it } from 'vitest';
import { plain } from '../support/client-message.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { pay, research, researchTool } from '../support/subagent-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

type Client = readonly [
  string,
  (url: string) => ChatTransport<UIMessage>,
  (options: { messages: UIMessage[] }) => boolean,
];

const clients: readonly Client[] = [
  ['SSE', (url) => sse.createSseTransport({ api: `${url}/api/chat` }), sse.sendAutomaticallyWhen],
  ['BIDI', (url) => bidi.createBidiTransport({ url: `${url}/api/chat/socket` }), bidi.sendAutomaticallyWhen],
  [
    'the SDK’s HTTP transport',
    (url) => new DefaultChatTransport({ api: `${url}/api/chat` }),
    lastAssistantMessageIsCompleteWithApprovalResponses,
  ],
  [
    'the SDK’s WebSocket transport',
    (url) => new WebSocketChatTransport({ url: `${url}/api/chat/socket` }),
    lastAssistantMessageIsCompleteWithApprovalResponses,
  ],
];
const releases = ['final', 'progressive', 'hold-after-question'] as const;
const rows = clients.flatMap(([name, connect, predicate]) =>
  releases.map((release) => [name, release, connect, predicate] as const),
);

const both = [research('r1', 'one'), research('r2', 'two')];

it.each(rows)(
  'over %s, %s: two subagents ask in turn, and each answer is sent once',
  async (_name, release, connect, sendAutomaticallyWhen) => {
    const look = { call: 'look', id: 'look', input: {} };
    const { tools, ran } = researchTool(({ prompt }) =>
      prompt.some(({ role }) => role === 'tool') ? [{ text: 'Paid.' }] : [look, pay('p')],
    );
    const { url } = await serveFixture([both, [{ text: 'Done.' }]], { tools, release });
    const lines: string[] = [];
    const transport = recordTransport(connect(url), { write: (line) => lines.push(line) });
    const chat = new Chat<UIMessage>({ id: 'chat', transport, sendAutomaticallyWhen });
    const responses = () => readRecording(lines).exchanges.map(({ chunks }) => chunks);

    await chat.sendMessage({ text: 'Go.' });
    chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: true });
    await waitFor(() => expect(responses()).toHaveLength(2));
    await waitFor(() => expect(chat.status).toBe('ready'));
    chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: false });
    await waitFor(() => expect(responses()).toHaveLength(3));
    await waitFor(() => expect(chat.status).toBe('ready'));

    expect(ran.map((call) => call.tool)).toEqual(['look', 'look', 'pay']);
    expect(checkResponseTiming(responses(), { finished: true, release })).toEqual([]);
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.messages).toEqual(plain(chat.messages));
    expect(stored.run).toEqual({ status: 'idle' });
    await chat.dispose();
  },
);

it.each(rows)(
  'over %s, %s: a subagent that was approved itself asks next, and each answer is sent once',
  async (_name, release, connect, sendAutomaticallyWhen) => {
    const { tools, ran } = researchTool([[pay('p')], [{ text: 'Paid.' }]]);
    const toolApproval = { research: 'user-approval' } as FlowSettings['toolApproval'];
    const script = [both.slice(0, 1), [{ text: 'Done.' }]];
    const { url } = await serveFixture(script, { tools, release, toolApproval });
    const lines: string[] = [];
    const transport = recordTransport(connect(url), { write: (line) => lines.push(line) });
    const chat = new Chat<UIMessage>({ id: 'chat', transport, sendAutomaticallyWhen });
    const responses = () => readRecording(lines).exchanges.map(({ chunks }) => chunks);

    await chat.sendMessage({ text: 'Go.' });
    for (const count of [2, 3]) {
      chat.addToolApprovalResponse({ id: openQuestion(chat.messages), approved: true });
      await waitFor(() => expect(responses()).toHaveLength(count));
      await waitFor(() => expect(chat.status).toBe('ready'));
    }
    expect(ran).toHaveLength(1);
    expect(checkResponseTiming(responses(), { finished: true, release })).toEqual([]);
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.messages).toEqual(plain(chat.messages));
    await chat.dispose();
  },
);

it('a question of a subagent is answered in the inbox', async () => {
  const { tools, ran } = researchTool([[pay('p')], [{ text: 'Paid.' }]]);
  const { url, flow } = await serveFixture([both.slice(0, 1), [{ text: 'Done.' }]], { tools });
  const transport = sse.createSseTransport({ api: `${url}/api/chat` });
  const chat = new Chat<UIMessage>({ id: 'chat', transport });
  await chat.sendMessage({ text: 'Go.' });
  const list = await (await fetch(`${url}/api/approvals`)).json();
  const [question] = list.approvals;
  expect(question).toMatchObject({ toolName: 'research/pay', title: 'research → pay', state: 'open' });
  const details = await (await fetch(`${url}/api/approvals/${question.id}`)).json();
  expect(details.inputSchema).toMatchObject({ required: ['to', 'amount'] });
  const answered = await fetch(`${url}/api/approvals/${question.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ approved: true }),
  });
  expect(answered.status).toBe(200);
  await waitFor(async () => {
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.run).toEqual({ status: 'idle' });
  });
  expect(ran).toHaveLength(1);
  await flow.close();
  await chat.dispose();
});
