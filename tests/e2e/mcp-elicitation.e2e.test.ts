import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessageChunk } from 'ai';
import { type FlowSettings, parseChatId } from 'countersign';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { checkResponseTiming } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { clientMessage, plain } from '../support/client-message.ts';
import {
  elicitingOverHttp,
  elicitingOverOneStream,
  elicitingOverStdio,
} from '../support/eliciting-server.ts';
import { ada, questionIn, types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

const releases = ['final', 'progressive', 'hold-after-question'] as const;
const reserve = (id: string, hotel = 'Ritz') => ({ call: 'reserve', id, input: { hotel } });
const done = [{ text: 'Done.' }];
const two = { input: { nights: 2 } };
const predicates = [
  sse.sendAutomaticallyWhen,
  bidi.sendAutomaticallyWhen,
  lastAssistantMessageIsCompleteWithApprovalResponses,
];
const servers = [
  ['over HTTP', elicitingOverHttp],
  ['over one stream', elicitingOverOneStream],
] as const;

describe.each(modes)('over %s', (_mode, connect) => {
  it.each(releases)('with %s, a server asks while its tool runs, and gets the content', async (release) => {
    const { tools, answers } = await elicitingOverHttp();
    const toolApproval = { reserve: 'user-approval' } as FlowSettings['toolApproval'];
    const { url } = await serveFixture([[{ text: 'Let me see.' }, reserve('r')], done], {
      tools,
      release,
      toolApproval,
    });
    const chat = rawChat(await connect(url));
    const client = clientMessage();
    const responses = [await chat.say('Go.')];
    await client.read(responses[0] ?? []);
    for (const more of [{}, two]) {
      const id = questionIn(responses.at(-1) ?? []);
      client.answer(id, true);
      expect(predicates.map((isTime) => isTime({ messages: [client.value] }))).toEqual([true, true, true]);
      const response = await chat.answer(id, true, more);
      responses.push(response);
      await client.read(response);
    }
    expect(answers).toMatchObject([{ action: 'accept', content: { nights: 2 } }]);
    expect(checkResponseTiming(responses, { release, finished: true })).toEqual([]);
    expect(predicates.map((isTime) => isTime({ messages: [client.value] }))).toEqual([false, false, false]);
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.messages.at(-1)).toEqual(plain(client.value));
  });

  it('a decline and a stop reach the server', async () => {
    const { tools, answers } = await elicitingOverHttp();
    const { url, flow } = await serveFixture(() => [reserve('r')], { tools });
    const chat = rawChat(await connect(url));
    const first = await chat.say('Go.');
    const second = await chat.answer(questionIn(first), false);
    expect(answers).toMatchObject([{ action: 'decline' }]);
    expect(questionIn(second)).not.toBe(questionIn(first));
    await flow.chats.stop({ chatId: parseChatId('chat'), principal: ada });
    await waitFor(async () => {
      const stored = await (await fetch(`${url}/api/chat/chat`)).json();
      expect(stored.run).toEqual({ status: 'idle' });
      expect(JSON.stringify(stored.messages)).not.toContain('outcome-unknown');
    });
  });

  it('forged answers are refused, and the question stays open', async () => {
    const { tools, answers } = await elicitingOverHttp();
    const { url } = await serveFixture([[reserve('r')], done], { tools });
    const chat = rawChat(await connect(url));
    const asked = await chat.say('Go.');
    expect(asked.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { needsInput: true, mayEdit: true },
    });
    const id = questionIn(asked);
    const stranger = rawChat(await connect(url, 'mallory'));
    await expect(stranger.answer(id, true, two)).rejects.toMatchObject({ code: 'not-found' });
    const refusal = { code: 'invalid-request', fieldErrors: [{ path: '/nights' }] };
    await expect(chat.answer(id, true)).rejects.toMatchObject(refusal);
    await expect(chat.answer(id, true, { input: { nights: 0 } })).rejects.toMatchObject(refusal);
    expect(answers).toEqual([]);
    await chat.answer(id, true, two);
    expect(answers).toHaveLength(1);
  });
});

it.each(servers)('%s, the question is answered in the inbox', async (_name, open) => {
  const { tools, answers } = await open();
  const { url } = await serveFixture([[reserve('r')], done], { tools });
  const [, connect] = modes[0] ?? [];
  if (!connect) throw new Error('There is no transport.');
  await rawChat(await connect(url)).say('Go.');
  const { approvals } = await (await fetch(`${url}/api/approvals`)).json();
  expect(approvals).toMatchObject([
    {
      toolName: 'reserve/ask',
      title: 'reserve → ask',
      description: 'How many nights at Ritz?',
      mayEdit: true,
      needsInput: true,
    },
  ]);
  expect(JSON.stringify(approvals)).not.toContain('waitsIn');
  const path = `${url}/api/approvals/${approvals[0].id}`;
  expect((await (await fetch(path)).json()).inputSchema).toMatchObject({
    properties: { nights: { type: 'integer', minimum: 1 } },
  });
  const answered = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ approved: true, ...two }),
  });
  expect(answered.status).toBe(200);
  await waitFor(async () => {
    const stored = await (await fetch(`${url}/api/chat/chat`)).json();
    expect(stored.run).toEqual({ status: 'idle' });
  });
  expect(answers).toMatchObject([{ action: 'accept', content: { nights: 2 } }]);
});

it('over HTTP, two calls of one step ask one at a time', async () => {
  const { tools, answers } = await elicitingOverHttp();
  const script = [[reserve('a', 'Ritz'), reserve('b', 'Hilton')], done];
  const { url } = await serveFixture(script, { tools });
  const [, connect] = modes[0] ?? [];
  if (!connect) throw new Error('There is no transport.');
  const chat = rawChat(await connect(url));
  const first = await chat.say('Go.');
  const second = await chat.answer(questionIn(first), true, two);
  expect(types(second)).toContain('tool-approval-request');
  const last = await chat.answer(questionIn(second), true, { input: { nights: 5 } });
  const outputs = last.flatMap((chunk) =>
    chunk.type === 'tool-output-available' ? [JSON.stringify(chunk.output)] : [],
  );
  expect(outputs).toEqual([
    expect.stringContaining('2 nights at Ritz'),
    expect.stringContaining('5 nights at Hilton'),
    '{"nights":2}',
    '{"nights":5}',
  ]);
  expect(answers).toHaveLength(2);
});

describe.each(modes)('over standard input and output, and %s', (_mode, connect) => {
  const outputsOf = (chunks: readonly UIMessageChunk[]) =>
    chunks.flatMap((chunk) => (chunk.type === 'tool-output-available' ? [JSON.stringify(chunk.output)] : []));
  const together = (id: string, hotel: string) => ({
    call: 'reserve',
    id,
    input: { hotel, together: 2 },
  });

  it('a server asks while one of its calls runs, in one turn after another', async () => {
    const { tools } = await elicitingOverStdio();
    const { url } = await serveFixture([[reserve('a')], done, [reserve('b', 'Hilton')], done], { tools });
    const chat = rawChat(await connect(url));
    for (const [hotel, nights] of [
      ['Ritz', 2],
      ['Hilton', 5],
    ] as const) {
      const asked = await chat.say('Go.');
      expect(JSON.stringify(asked)).toContain(`How many nights at ${hotel}?`);
      const last = await chat.answer(questionIn(asked), true, { input: { nights } });
      expect(outputsOf(last)).toContainEqual(
        expect.stringContaining(`Reserved ${nights} nights at ${hotel}.`),
      );
    }
  });

  it('two concurrent calls get an error that says why, and nobody is asked', async () => {
    const { tools } = await elicitingOverStdio();
    const script = [[together('a', 'Ritz'), together('b', 'Hilton')], done];
    const { url } = await serveFixture(script, { tools });
    const response = await rawChat(await connect(url)).say('Go.');
    expect(types(response)).not.toContain('tool-approval-request');
    const refused = expect.stringMatching(
      /several calls of this MCP client are running.*toolCallConcurrency: 1.*"isError":true/i,
    );
    expect(outputsOf(response)).toEqual([refused, refused]);
  });

  it('two calls ask one after the other with toolCallConcurrency: 1', async () => {
    const { tools } = await elicitingOverStdio();
    const script = [[reserve('a', 'Ritz'), reserve('b', 'Hilton')], done];
    const { url } = await serveFixture(script, { tools, toolCallConcurrency: 1 });
    const chat = rawChat(await connect(url));
    const first = await chat.say('Go.');
    const second = await chat.answer(questionIn(first), true, two);
    const last = await chat.answer(questionIn(second), true, { input: { nights: 5 } });
    expect(outputsOf([...second, ...last])).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Reserved 2 nights at Ritz.'),
        expect.stringContaining('Reserved 5 nights at Hilton.'),
      ]),
    );
  });
});
