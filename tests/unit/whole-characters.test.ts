import type { TextStreamPart, ToolSet } from 'ai';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toJson } from '../../lib/protocol/json.ts';
import { createWholeCharacters } from '../../lib/run/step/whole-characters.ts';

type Part = TextStreamPart<ToolSet>;

/** Any code units: whole pairs, and halves that stay alone. */
const units = fc.array(
  fc.oneof(fc.constantFrom('a', '\ud83d', '\ude00', '😀', 'é', '\\ud83d', '\u0001'), fc.string()),
);
const parts = fc.array(
  fc.tuple(
    fc.constantFrom('one', 'two'),
    units.map((list) => list.join('')),
  ),
);

const deltaOf = (type: string, id: string, text: string) =>
  (type === 'tool-input'
    ? { type: `${type}-delta`, id, delta: text }
    : { type: `${type}-delta`, id, text }) as Part;
const textOf = (part: Part) =>
  part.type === 'tool-input-delta'
    ? part.delta
    : part.type === 'text-delta' || part.type === 'reasoning-delta'
      ? part.text
      : '';

it.each(['text', 'reasoning', 'tool-input'])(
  'a cut between the halves of a character in %s is closed, and only halves that stay alone are replaced [D9]',
  (type) => {
    fc.assert(
      fc.property(parts, (pieces) => {
        const whole = createWholeCharacters();
        const sent = new Map([
          ['one', ''],
          ['two', ''],
        ]);
        const take = (id: string, part: Part) => {
          const text = textOf(whole(part));
          expect(text.isWellFormed()).toBe(true);
          sent.set(id, sent.get(id) + text);
        };
        for (const [id, text] of pieces) take(id, deltaOf(type, id, text));
        for (const id of sent.keys()) take(id, { type: `${type}-end`, id } as Part);
        for (const [id, text] of sent) {
          const given = pieces.flatMap(([of, piece]) => (of === id ? [piece] : [])).join('');
          expect(text).toBe(given.toWellFormed());
        }
      }),
    );
  },
);

it('passes on what has no cut as the same object [D9]', () => {
  const whole = createWholeCharacters();
  for (const part of [deltaOf('text', 'one', 'All 😀'), { type: 'text-end', id: 'one' } as Part]) {
    expect(whole(part)).toBe(part);
  }
});

it.each<[string, unknown, unknown]>([
  ['a Map with text keys as an object', new Map([['a', 1]]), { a: 1 }],
  ['a Map with other keys as a list of pairs', new Map([[1, 'a']]), [[1, 'a']]],
  ['a Set as a list', { tags: new Set(['a', 'b']) }, { tags: ['a', 'b'] }],
  ['a Date as its ISO text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
  ['an invalid Date as null', new Date(Number.NaN), null],
  ['a typed array as the list of its numbers', { bytes: new Uint8Array([1, 255]) }, { bytes: [1, 255] }],
  ['an array of floats', new Float32Array([0.5, Number.NaN]), [0.5, null]],
  ['an array of BigInts as their digits', new BigInt64Array([2n ** 60n]), ['1152921504606846976']],
  ['a buffer as the list of its bytes', new Uint8Array([7, 8]).buffer, [7, 8]],
  ['a view of bytes as the list of its bytes', new DataView(new Uint8Array([7, 8, 9]).buffer, 1), [8, 9]],
  ['a Node Buffer by its own toJSON', Buffer.from('a'), { type: 'Buffer', data: [97] }],
  ['numbers that JSON lacks as null', [Number.NaN, Number.POSITIVE_INFINITY, -0], [null, null, 0]],
  ['half of a surrogate pair as U+FFFD, also in keys', { 'k\ud83d': 'v\ude00' }, { 'k\ufffd': 'v\ufffd' }],
  [
    'whole pairs and written escapes unchanged',
    ['😀', '\\ud83d', '\\\\ud83d'],
    ['😀', '\\ud83d', '\\\\ud83d'],
  ],
])('converts %s [D9]', (_what, value, json) => {
  expect(toJson(value)).toEqual(json);
});

it('gives any JSON value back with each of its texts well-formed [D9]', () => {
  const wellFormed = (value: unknown): unknown => {
    if (typeof value === 'string') return value.toWellFormed();
    if (Array.isArray(value)) return value.map(wellFormed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
    );
  };
  const text = units.map((list) => list.join(''));
  const json = fc.letrec((tie) => ({
    any: fc.oneof(
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('any'),
        { maxKeys: 3 },
      ),
    ),
  })).any;
  fc.assert(
    fc.property(json, (value) => {
      expect(toJson(value)).toEqual(wellFormed(value));
    }),
  );
});
