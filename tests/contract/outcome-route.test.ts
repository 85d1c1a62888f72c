import { afterEach, expect, it, vi } from 'vitest';
import type { ApprovalFlow } from '../../lib/flow/approval-flow.ts';
import { CountersignError, parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';
import type { Served } from '../../lib/testing/server/serve.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { ada, asAda, fakeFlow } from './support/fake-flow.ts';

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

const at = Date.UTC(2026, 0, 2, 3, 4, 6);
const known: ApprovalFlow['approvals']['resolveOutcome'] = async ({ toolCallId, outcome, note }) => ({
  toolCallId,
  toolName: 'pay',
  outcome,
  source: 'person',
  at,
  by: { id: ada.id, name: ada.name },
  ...(note !== undefined && { note }),
});

async function post(body: unknown, resolveOutcome: ApprovalFlow['approvals']['resolveOutcome'] = known) {
  served = await serveFlow(fakeFlow({ approvals: { resolveOutcome } }), { authorize: asAda });
  const response = await fetch(`${served.url}/api/chat/chat1/outcomes/functions.pay%3A0`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

it('records a person’s report of an unknown outcome [S13]', async () => {
  const resolveOutcome = vi.fn(known);
  const { status, body } = await post(
    { outcome: 'completed', note: 'Seen.', output: { id: 7 } },
    resolveOutcome,
  );
  expect(resolveOutcome).toHaveBeenCalledWith({
    principal: ada,
    chatId: parseChatId('chat1'),
    toolCallId: parseToolCallId('functions.pay:0'),
    outcome: 'completed',
    note: 'Seen.',
    output: { id: 7 },
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    resolution: {
      toolCallId: 'functions.pay:0',
      toolName: 'pay',
      outcome: 'completed',
      source: 'person',
      at: '2026-01-02T03:04:06.000Z',
      by: { id: ada.id, name: ada.name },
      note: 'Seen.',
    },
  });
});

it.each([
  ['nothing', {}],
  ['another outcome', { outcome: 'paid' }],
  ['a note that is not a string', { outcome: 'completed', note: 7 }],
  ['a note that is too long', { outcome: 'completed', note: 'x'.repeat(2_001) }],
  ['an output of a call that did not run', { outcome: 'not-run', output: 1 }],
  ['an output that would change objects', { outcome: 'completed', output: JSON.parse('{"__proto__":{}}') }],
])('refuses %s', async (_what, body) => {
  const resolveOutcome = vi.fn(known);
  const { status, body: refused } = await post(body, resolveOutcome);
  expect(status).toBe(400);
  expect(refused.error.code).toBe('invalid-request');
  expect(resolveOutcome).not.toHaveBeenCalled();
});

it('returns the recorded outcome to a second person [S13]', async () => {
  const resolution = { toolCallId: 'a', toolName: 'pay', outcome: 'not-run', source: 'person', at: '2026' };
  const { status, body } = await post({ outcome: 'completed' }, async () => {
    throw new CountersignError('already-answered', 'Recorded already.', { resolution });
  });
  expect(status).toBe(409);
  expect(body.error).toMatchObject({ code: 'already-answered', resolution });
});
