import { expect, it } from 'vitest';
import { createAuditor } from '../../lib/log/seal/auditor.ts';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import { type FlowEvent, parseChatId } from '../../lib/protocol/index.ts';
import { unprovenCalls } from '../../lib/run/call/unproven-calls.ts';
import type { FlowSettings } from '../../lib/settings/flow-settings.ts';

const chatId = parseChatId('chat');
const auditor = createAuditor('an audit key for tests');
const settings = { toolApproval: { pay: 'user-approval' } } as unknown as FlowSettings;

/** A turn with one call in it, as rows that nobody sealed. */
function turnOf(requested: object, ...events: object[]) {
  const call = { toolCallId: 'c1', toolName: 'pay', input: { amount: 1 }, kind: 'function', ...requested };
  const rows = [
    { type: 'run-started', messageId: 'm', release: 'final' },
    { type: 'step-started', step: 0 },
    { type: 'tool-requested', ...call },
    ...events,
  ].map((body, index) => ({ ...body, seq: index + 1, at: 0, runId: 'run' }) as unknown as FlowEvent);
  const store = { read: async () => rows } as unknown as FlowStore;
  return { turn: foldTurn(rows), store };
}

const ask = { gate: { type: 'ask', providerApprovalId: 'p1' } };
const asked = {
  type: 'approval-requested',
  approvalId: 'a1',
  toolCallId: 'c1',
  askedBy: { id: 'a', name: 'A' },
};
const answered = { type: 'approval-answered', approvalId: 'a1', toolCallId: 'c1', approved: true };
const started = { type: 'tool-started', toolCallId: 'c1', input: { amount: 1 } };

it.each<[string, object, object[], object]>([
  [
    'a provider’s call is withdrawn, so the provider does not run it',
    { executor: 'provider', ...ask },
    [asked, answered],
    { type: 'tool-cancelled' },
  ],
  [
    'a call of the client fails',
    { executor: 'client', ...ask },
    [asked, answered],
    { type: 'tool-failed', outcome: 'failed' },
  ],
  [
    'the outcome of a call that has started is unknown',
    { executor: 'server', ...ask },
    [asked, answered, started],
    { type: 'tool-failed', error: expect.stringContaining('unknown') },
  ],
  [
    'a decision that no policy made lets nothing run',
    { executor: 'server', gate: { type: 'automatic', approvalId: 'a1', approved: true } },
    [],
    { type: 'tool-failed', outcome: 'failed' },
  ],
  [
    'a remembered approval that no one used lets nothing run',
    { executor: 'server', ...ask },
    [
      {
        type: 'approval-granted',
        approvalId: 'a1',
        toolCallId: 'c1',
        grantId: 'g',
        by: { id: 'a', name: 'A' },
      },
    ],
    { type: 'tool-failed', outcome: 'failed' },
  ],
])('without a seal, %s', async (_name, requested, events, end) => {
  const { turn, store } = turnOf(requested, ...events);
  expect(await unprovenCalls({ auditor, settings, store }, chatId, turn)).toMatchObject([
    { why: expect.stringMatching(/seal/), end },
  ]);
});

it.each<[string, object, object[]]>([
  ['a call that waits for an answer', { executor: 'server', ...ask }, [asked]],
  ['a call that was denied', { executor: 'server', ...ask }, [asked, { ...answered, approved: false }]],
])('%s is unchanged', async (_name, requested, events) => {
  const { turn, store } = turnOf(requested, ...events);
  expect(await unprovenCalls({ auditor, settings, store }, chatId, turn)).toEqual([]);
});
