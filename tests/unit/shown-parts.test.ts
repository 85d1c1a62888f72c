import type { UIMessage, UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { withoutShown } from '../../lib/server/repeats/without-shown.ts';
import type { TurnItem } from '../../lib/views/reader/read-turn.ts';

type Parts = UIMessage['parts'];

const asked = { waitsFor: { requested: { toolCallId: 'asked' } }, messageId: 'msg_1' };
const before = { isInResponse: false, turn: asked } as unknown as TurnItem;
const item = { isInResponse: true, turn: asked, event: { seq: 9, at: 0 } } as unknown as TurnItem;
const mark = { type: 'step-start' } as const;
const text = (words: string): Parts[number] => ({ type: 'text', text: words });
const written = (id: string, delta: string): UIMessageChunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
];
const data = { type: 'data-place', data: 1 } as const;
const source = { type: 'source-url', sourceId: 's', url: 'https://example.com' } as const;

/** What a page that shows these parts after the question is sent of a replay. */
function sent(shown: Parts, replay: UIMessageChunk[]): string[] {
  const call: Parts[number] = {
    ...{ type: 'tool-pay', toolCallId: 'asked', state: 'approval-responded', input: {} },
    approval: { id: 'apr_1', approved: true },
  };
  const chunks = withoutShown(
    { apply: ({ isInResponse }) => (isInResponse ? replay : []), end: () => [{ type: 'finish' }] },
    { shown: { id: 'msg_1', parts: [mark, call, ...shown] }, isLoop: () => true, loopText: 'loop' },
  );
  return [before, item]
    .flatMap(chunks.apply)
    .concat(chunks.end?.() ?? [])
    .map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : chunk.type));
}

describe('a replay for a page that has a part of it [H10]', () => {
  const start: UIMessageChunk = { type: 'start-step' };
  const reset: UIMessageChunk = { type: 'reset-step' };
  const whole = ['text-start', 'All.', 'text-end'];

  it.each<[string, Parts, UIMessageChunk[], string[]]>([
    ['nothing of it', [], [start, ...written('1', 'All.')], ['start-step', ...whole, 'finish']],
    ['the mark of its step', [mark], [start, ...written('1', 'All.')], [...whole, 'finish']],
    ['all of it', [mark, text('All.')], [start, ...written('1', 'All.')], ['error']],
    [
      'the beginning of a text',
      [mark, text('A')],
      [start, ...written('1', 'All.')],
      ['reset-step', ...whole, 'finish'],
    ],
    [
      'a step that was begun again',
      [mark, text('All.')],
      [start, ...written('1', 'Al').slice(0, 2), reset, ...written('2', 'All.')],
      ['error'],
    ],
    [
      'a step that is begun again after what the page has',
      [mark, text('All.')],
      [start, ...written('1', 'All.'), ...written('2', 'More.'), reset, ...written('3', 'All.')],
      ['text-start', 'More.', 'text-end', 'reset-step', ...whole, 'finish'],
    ],
    ['a part of data and a source', [mark, data, source], [start, data, source], ['error']],
    ['one of two sources', [mark, source], [start, source, source], ['source-url', 'finish']],
    [
      'data that changes',
      [mark, { ...data, id: 'd' }],
      [start, { ...data, id: 'd' }],
      ['data-place', 'error'],
    ],
  ])('sends what is missing, if the page has %s', (_what, shown, replay, expected) => {
    expect(sent(shown, replay)).toEqual(expected);
  });
});
