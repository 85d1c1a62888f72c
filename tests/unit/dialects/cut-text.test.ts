import { expect, it } from 'vitest';
import { cutText } from '../../../lib/plugins/chat-socket/tool-text.ts';

it.each([
  ['abc', 3, { text: 'abc' }],
  ['abcd', 3, { text: 'abc', originalLength: 4 }],
  ['ééééé', 10, { text: 'ééééé' }],
  ['ééééé', 9, { text: 'éééé', originalLength: 10 }],
  ['😀', 3, { text: '', originalLength: 4 }],
])('a result %s in at most %i bytes is cut between characters [D19]', (text, bytes, cut) => {
  expect(cutText(text, bytes)).toEqual(cut);
});
