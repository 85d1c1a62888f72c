import { describe, expect, it } from 'vitest';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import type { FlowEvent } from '../../lib/protocol/index.ts';
import { closeTurn, closeUnreported } from '../../lib/run/close-turn.ts';

/** A turn with one call in it. */
function turnOf(requested: object, events: readonly object[]) {
  const rows = [
    { type: 'run-started', messageId: 'm', release: 'final' },
    { type: 'step-started', step: 0 },
    { type: 'tool-requested', toolCallId: 'c', toolName: 'pay', input: {}, kind: 'function', ...requested },
    ...events,
  ];
  return foldTurn(
    rows.map((row, index) => ({ ...row, seq: index + 1, at: 0, runId: 'r' }) as unknown as FlowEvent),
  );
}

const asked = { type: 'approval-requested', approvalId: 'a', toolCallId: 'c', askedBy: { id: 'ada' } };
const approved = { type: 'approval-answered', approvalId: 'a', toolCallId: 'c', approved: true };
const started = { type: 'tool-started', toolCallId: 'c', input: {} };
const completed = {
  type: 'tool-completed',
  toolCallId: 'c',
  output: 1,
  modelOutput: { type: 'json', value: 1 },
};
const ask = { gate: { type: 'ask' } };
const unknown = { type: 'tool-failed', toolCallId: 'c', outcome: 'unknown' };

describe('a turn that ends early settles a call', () => {
  it.each([
    [
      'that waits for an answer: withdrawn',
      [asked],
      [{ type: 'approval-withdrawn' }, { type: 'tool-denied' }],
    ],
    ['that was approved and has not started: cancelled', [asked, approved], [{ type: 'tool-cancelled' }]],
    ['that runs: its outcome is unknown', [asked, approved, started], [unknown]],
    ['that has ended: not again', [asked, approved, started, completed], []],
  ])('%s', (_title, events, expected) => {
    const turn = turnOf({ executor: 'server', ...ask }, events);
    expect(closeTurn(turn, 'failed')).toMatchObject(expected);
    expect(closeTurn(turn, 'failed')).toHaveLength(expected.length);
  });
});

describe('at the end of a turn, an approved call', () => {
  it.each([
    ['of the provider, without a result, has an unknown outcome', 'provider', [unknown]],
    ['of the client stays open: its result comes later', 'client', []],
  ])('%s', (_title, executor, expected) => {
    const ends = closeUnreported(turnOf({ executor, ...ask }, [asked, approved]));
    expect(ends).toMatchObject(expected);
    expect(ends).toHaveLength(expected.length);
  });
});
