import { describe, expect, it } from 'vitest';
import { draftText } from '../../app/_chat/draft.ts';
import type { LiveEvent } from '../../app/_chat/live-parts.ts';
import { initialLiveParts, reduceLiveParts } from '../../app/_chat/live-parts.ts';

const draft = (delta: string): LiveEvent => ({
  type: 'received',
  part: { type: 'data-draft', data: { textId: 'a', delta } },
});

const report = (phase: string, more: object = {}): LiveEvent => ({
  type: 'received',
  part: {
    type: 'data-tool-lifecycle',
    data: {
      toolCallId: 'c1',
      toolName: 'search',
      kind: 'function',
      phase,
      at: '2026-01-01T00:00:00Z',
      ...more,
    },
  },
});

function liveAfter(...events: readonly LiveEvent[]) {
  return events.reduce(reduceLiveParts, initialLiveParts(undefined));
}

describe('live parts', () => {
  it('begin with the draft that the stored chat shows', () => {
    expect(draftText(initialLiveParts('Let me look.').draft)).toBe('Let me look.');
  });

  it('drop the draft when a new turn begins', () => {
    expect(draftText(liveAfter(draft('Old.'), { type: 'turn-began' }).draft)).toBe('');
  });

  it('keep the draft when the next response of the turn begins', () => {
    expect(draftText(liveAfter(draft('Kept.'), { type: 'response-began' }).draft)).toBe('Kept.');
  });

  it('tell calls of former turns from those of this one', () => {
    expect(liveAfter(report('started')).past.has('c1')).toBe(false);
    expect(liveAfter(report('started'), { type: 'turn-began' }).past.has('c1')).toBe(true);
  });

  it('keep a summary that a later report leaves out', () => {
    const live = liveAfter(
      report('completed', { summary: 'Found 10' }),
      report('completed', { durationMs: 5 }),
    );
    expect(live.reports.get('c1')).toMatchObject({ summary: 'Found 10', durationMs: 5 });
  });

  it.each<[string, LiveEvent]>([
    ['a part of another kind', { type: 'received', part: { type: 'data-other', data: {} } }],
    ['a draft without a delta', { type: 'received', part: { type: 'data-draft', data: { textId: 'a' } } }],
    ['a report of an unknown phase', report('dancing')],
  ])('stay as they are for %s', (_, event) => {
    const before = initialLiveParts(undefined);
    expect(reduceLiveParts(before, event)).toBe(before);
  });
});
