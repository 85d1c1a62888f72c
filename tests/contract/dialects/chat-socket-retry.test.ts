import { tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkPrompt } from '../../support/check-prompt.ts';
import { connectChatSocket, frameTypes } from './support/chat-socket-client.ts';
import { serveDialects } from './support/serve-dialects.ts';

/** Says of itself that trying again may help; fails as often as it is told to. */
function failing(times: number, isRetryable = true) {
  let runs = 0;
  return {
    runs: () => runs,
    execute: async ({ to }: { to: string }) => {
      runs += 1;
      if (runs <= times) throw Object.assign(new Error('The bank is closed.'), { isRetryable });
      return `paid ${to}`;
    },
  };
}

const inputSchema = z.object({ to: z.string() });
const script = [
  [{ call: 'pay', id: 'a', input: { to: 'Bob' } }],
  [{ text: 'It failed.' }],
  [{ text: 'Now it is paid.' }],
];

async function open(bank: ReturnType<typeof failing>, needsApproval = false) {
  const pay = tool({ inputSchema, needsApproval, execute: bank.execute });
  const served = await serveDialects(script, { tools: { pay } });
  return { ...served, client: await connectChatSocket(served.url) };
}

it('`tool_retry` repeats a failed call with a new id, and the model continues from its outcome [D22]', async () => {
  const bank = failing(1);
  const { client, model } = await open(bank);
  client.say('Pay Bob');
  await client.complete();
  expect(await client.frame('error')).toMatchObject({ code: 'TOOL_ERROR', tool_call_id: 'a' });
  client.send({ type: 'tool_retry', tool_call_id: 'a' });
  const frames = await client.complete(2);
  expect(frameTypes(frames).slice(-4)).toEqual(['tool_start', 'tool_complete', 'token', 'complete']);
  const start = await client.frame('tool_start', 2);
  expect(start.tool_call_id).not.toBe('a');
  expect(start.tool_input).toBe('{"to":"Bob"}');
  expect(await client.frame('tool_complete')).toMatchObject({ tool_result: 'paid Bob' });
  expect(bank.runs()).toBe(2);
  expect(model.calls).toHaveLength(3);
  expect(checkPrompt(model.calls[2]?.prompt ?? [])).toEqual([]);
});

it('asks about a gated call again before retrying it [D22, D24]', async () => {
  const bank = failing(1);
  const { client } = await open(bank, true);
  client.say('Pay Bob');
  const first = await client.frame('tool_approval_request');
  client.send({ type: 'tool_approval_response', approval_id: first.approval_id, approved: true });
  await client.complete();
  client.send({ type: 'tool_retry', tool_call_id: 'a', accept_approvals: true });
  const second = await client.frame('tool_approval_request', 2);
  expect(second.approval_id).not.toBe(first.approval_id);
  expect(bank.runs()).toBe(1);
  client.send({ type: 'tool_approval_response', approval_id: second.approval_id, approved: true });
  await client.complete(2);
  expect(bank.runs()).toBe(2);
});

it.each([
  ['a failure that may not be tried again', failing(1, false), 'a'],
  ['a call that did not fail', failing(0), 'a'],
  ['a call that this socket has not seen', failing(1), 'foreign'],
])('refuses %s, and runs nothing [D22]', async (_what, bank, id) => {
  const { client, model } = await open(bank);
  client.say('Pay Bob');
  await client.complete();
  const before = client.frames.length;
  client.send({ type: 'tool_retry', tool_call_id: id });
  const frames = await client.until((all) => all.length > before);
  expect(frames.at(-1)).toMatchObject({ type: 'error', tool_call_id: id });
  expect(bank.runs()).toBe(1);
  expect(model.calls).toHaveLength(2);
});
