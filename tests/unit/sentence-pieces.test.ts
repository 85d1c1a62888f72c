import { describe, expect, it, vi } from 'vitest';
import { sentencePieces } from '../../lib/client/text/sentence-pieces.ts';

const letter = 'א';

describe('a sentence that is partly written from right to left', () => {
  it.each<[name: string, text: string, input: unknown, values: string[]]>([
    ['each value', `${letter}: 30 USD`, { amount: 30, currency: 'USD' }, ['30', 'USD']],
    ['a value in another, as one', `${letter} 300 30`, [30, 300], ['300', '30']],
    ['two that overlap, as one', `${letter} abcd`, ['abc', 'bcd'], ['abcd']],
    [
      'values with the signs of a pattern',
      `${letter} (a|b)* [`,
      { deep: [['(a|b)*', '[']] },
      ['(a|b)*', '['],
    ],
    ['no half of a character', `${letter} 😀`, ['\ud83d'], []],
    [
      'the only short value of very large arguments',
      `Pay ${letter} 30`,
      {
        of: Array.from({ length: 3_000 }, (_, index) => `an item of twenty characters ${index}`),
        amount: 30,
      },
      ['30'],
    ],
    [
      'one of very many short values',
      `Pay ${letter} 30`,
      Array.from({ length: 99_999 }, (_, index) => `${index}`),
      ['30'],
    ],
    ['no value that is longer than the sentence', `Pay ${letter}`, { note: 'x'.repeat(1_000_000) }, []],
  ])('isolates %s', (_name, text, input, values) => {
    const pieces = sentencePieces(text, input);
    expect(pieces.join('')).toBe(text);
    expect(pieces.filter((piece, index) => index % 2 === 1 && piece !== text)).toEqual(values);
  });

  it('makes no pattern of the values: it would have a limit, and its error would quote them', () => {
    const made = vi.spyOn(globalThis, 'RegExp');
    sentencePieces(`Pay ${letter} 30`, { amount: 30 });
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});
