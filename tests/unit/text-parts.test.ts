import { expect, it } from 'vitest';
import { textParts } from '../../lib/run/call/result/text-parts.ts';

async function* piecesOf(...pieces: (string | Uint8Array)[]) {
  yield* pieces;
}

it.each([
  ['at an even place', '😀'.repeat(70_000)],
  ['at an odd place', `x${'😀'.repeat(70_000)}`],
])('a large text is not cut within a character %s', async (_where, text) => {
  const bytes = new TextEncoder().encode(text);
  for (const pieces of [[text], [bytes.subarray(0, 99_999), bytes.subarray(99_999)]]) {
    const parts = await Array.fromAsync(textParts(piecesOf(...pieces)));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    expect(parts.join('') === text).toBe(true);
  }
});
