import { describe, expect, it } from 'vitest';
import {
  initialLiveParts,
  type LiveEvent,
  type LiveParts,
  reduceLiveParts,
} from '../../lib/client/chat/live/live-parts.ts';

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
  return events.reduce<LiveParts>(reduceLiveParts, initialLiveParts(undefined));
}

describe('live parts', () => {
  it('begin with the draft that the stored chat shows', () => {
    const drafts = [
      { textId: 'a', delta: 'Let me look.', position: 2 },
      { textId: 'b', delta: 'Found 10.', position: 7 },
    ];
    const live = initialLiveParts({ drafts, questions: [] });
    expect(live.draft).toMatchObject([
      { text: 'Let me look.', position: 2 },
      { text: 'Found 10.', position: 7 },
    ]);
  });

  it('discard the draft when a new turn begins', () => {
    expect(liveAfter(draft('Old.'), { type: 'turn-began' }).draft).toEqual([]);
  });

  it('keep the draft when the next response of the turn begins', () => {
    expect(liveAfter(draft('Kept.'), { type: 'response-began' }).draft).toMatchObject([{ text: 'Kept.' }]);
  });

  it('distinguish calls of earlier turns from those of this one', () => {
    expect(liveAfter(report('started')).past.has('c1')).toBe(false);
    expect(liveAfter(report('started'), { type: 'turn-began' }).past.has('c1')).toBe(true);
  });

  it('show a call of an earlier turn again when the new turn reports it, because a regenerate kept it', () => {
    const live = liveAfter(report('completed'), { type: 'turn-began' }, report('completed'));
    expect(live.past.has('c1')).toBe(false);
  });

  it('keep a summary that a later report omits', () => {
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
  ])('are unchanged by %s', (_, event) => {
    const before: LiveParts = initialLiveParts(undefined);
    expect(reduceLiveParts(before, event)).toBe(before);
  });

  describe('who answered', () => {
    const mine = { approved: true, at: '2026-01-01T00:00:00Z' };
    const theirs = { approved: false, at: '2026-01-01T00:00:01Z', by: { id: 'eve', name: 'Eve' } };
    const answered: LiveEvent = { type: 'answered', id: 'q1', answer: mine };
    const settled: LiveEvent = { type: 'settled', question: { id: 'q1', answer: theirs } };
    const asGiven: LiveEvent = {
      type: 'settled',
      question: { id: 'q1', answer: { ...mine, at: theirs.at, by: theirs.by } },
    };
    const acknowledged: LiveEvent = { type: 'acknowledged', ids: ['q1'] };
    const refused: LiveEvent = { type: 'refused', ids: ['q1'] };

    it.each<[string, readonly LiveEvent[], unknown]>([
      ['know what the server reports', [settled], theirs],
      ['know nothing of an answer that is being sent', [answered], undefined],
      ['know an answer that the server has received', [answered, acknowledged], mine],
      [
        'name the person who gave the same answer first',
        [answered, acknowledged, asGiven],
        { ...mine, at: theirs.at, by: theirs.by, isFresh: true },
      ],
      [
        'name that person also if the feed is faster than the reply',
        [answered, asGiven, acknowledged],
        { ...mine, at: theirs.at, by: theirs.by },
      ],
      ['take the answer of another person that was first', [answered, settled], theirs],
      ['take it also if it is known late', [answered, acknowledged, settled], theirs],
      ['forget an answer that did not count', [answered, refused], undefined],
      ['forget it also if it seemed to be received', [answered, acknowledged, refused], undefined],
      ['take the one that did', [answered, refused, settled], theirs],
      [
        'know nothing of a question that was withdrawn',
        [{ type: 'settled', question: { id: 'q1' } }],
        undefined,
      ],
    ])('%s', (_, events, known) => {
      expect(liveAfter(...events).answers.get('q1')).toEqual(known);
    });

    it.each([
      ['sse', undefined],
      ['bidi', undefined],
      ['http', 'http'],
    ])(
      'says how an answer over %s came the same way, whatever arrives first and after a reload',
      (over, via) => {
        const { by } = theirs;
        const inLog: LiveEvent = {
          type: 'settled',
          question: { id: 'q1', answer: { ...mine, by, via: over } },
        };
        const orders = [[answered, acknowledged, inLog], [answered, inLog, acknowledged], [inLog]];
        const live = orders.map((events) => liveAfter(...events));
        const answer = { ...mine, by, via: over };
        const reloaded = initialLiveParts({ questions: [{ id: 'q1', mayAnswer: false, answer }] });
        const shown = [...live, reloaded].map(({ answers }) => answers.get('q1'));
        expect(shown.map((answer) => [answer?.by, answer?.via])).toEqual(shown.map(() => [by, via]));
      },
    );

    it('is known from the stored chat', () => {
      const live = initialLiveParts({
        questions: [
          { id: 'q1', mayAnswer: false, answer: theirs },
          { id: 'q2', mayAnswer: true },
        ],
      });
      expect([...live.answers]).toEqual([['q1', theirs]]);
    });
  });

  it('know how far the escalation of a question has come, from the stored chat and from the feed', () => {
    const step = (number: number) => ({
      id: 'q1',
      mayAnswer: true,
      plugins: { escalation: { steps: [], step: number } },
    });
    const live = initialLiveParts({ questions: [{ id: 'q0', mayAnswer: false }, step(0)] });
    expect(live.changed).toEqual(step(0));
    const later = reduceLiveParts(live, { type: 'changed', question: step(1) });
    expect(later.changed).toEqual(step(1));
    const restored = { type: 'restored' as const, drafts: undefined, messages: [], over: [] };
    expect(reduceLiveParts(later, { ...restored, questions: [step(2)] }).changed).toEqual(step(2));
  });
});
