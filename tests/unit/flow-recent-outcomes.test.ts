import { expect, it } from 'vitest';
import type { FlowEvent } from '../../lib/protocol/index.ts';
import { createRecentOutcomes } from '../../lib/run/outcomes/recent-outcomes.ts';

const chat = { id: 'chat', ownerId: 'ada' } as Parameters<ReturnType<typeof createRecentOutcomes>['take']>[0];
const call = 'call' as Extract<FlowEvent, { type: 'tool-started' }>['toolCallId'];

function outcomeAfter(types: readonly object[], isLocal: boolean) {
  const outcomes = createRecentOutcomes(() => isLocal);
  for (const event of types) {
    outcomes.take(chat, { toolCallId: call, runId: 'run', ...event } as unknown as FlowEvent);
  }
  return outcomes.of(chat.id, call)?.outcome;
}

const approved = { type: 'approval-answered', approved: true };
const started = { type: 'tool-started' };

it.each([
  ['an approved call', [approved], 'approved', undefined],
  ['a call that runs', [approved, started], 'running', undefined],
  ['a call that ended well', [started, { type: 'tool-completed' }], 'completed', 'completed'],
  ['a call that failed', [started, { type: 'tool-failed', outcome: 'failed' }], 'failed', 'failed'],
  ['a call of unknown outcome', [started, { type: 'tool-failed', outcome: 'unknown' }], undefined, undefined],
  ['a call that was cancelled', [started, { type: 'tool-cancelled' }], undefined, undefined],
  ['a denied call', [{ type: 'approval-answered', approved: false }], undefined, undefined],
])('knows %s: what may change elsewhere only while its run is here', (_name, events, here, elsewhere) => {
  expect(outcomeAfter(events, true)).toBe(here);
  expect(outcomeAfter(events, false)).toBe(elsewhere);
});

it('forgets the calls of an erased chat', () => {
  const outcomes = createRecentOutcomes(() => true);
  outcomes.take(chat, { type: 'tool-completed', toolCallId: call } as unknown as FlowEvent);
  outcomes.forget(chat.id);
  expect(outcomes.of(chat.id, call)).toBeUndefined();
});
