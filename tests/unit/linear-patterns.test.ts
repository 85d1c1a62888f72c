import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { patternFaults } from '../../lib/run/patterns/judge-patterns.ts';
import { createLinearPatterns } from '../../lib/run/patterns/linear-pattern.ts';

const texts = fc.string({
  unit: fc.constantFrom(...'aB09-_@./ \n\r\t\u00a0\u2028\u00e4😀[]\\'),
  maxLength: 8,
});

describe('an evaluated pattern', () => {
  it.each([
    '^[A-Z]{3}$',
    '^\\s+$',
    '[\\s,]',
    '^[^\\s]+$',
    '^\\S*$',
    '^[\\S]$',
    '^.$',
    '[.]',
    '^\\w+[-.]\\d?$',
    '\\u00e4|\\x41',
    '^[^]{2}$',
    '^a\\/b$',
    '^(?<first>a)B?',
    '\\ba',
    '\\p{L}$',
    '',
    z.regexes.email.source,
    z.regexes.uuid().source,
    z.toJSONSchema(z.iso.datetime()).pattern ?? '',
  ])('%s means what it means in JavaScript', (pattern) => {
    const expression = new RegExp(pattern, 'u');
    fc.assert(
      fc.property(texts, (text) => {
        expect(createLinearPatterns().fit(pattern, text)).toBe(expression.test(text) ? 'fits' : 'unfit');
      }),
    );
  });

  it('may have escapes that only other languages need', () => {
    const patterns = createLinearPatterns();
    expect(patterns.fit('^a\\-b\\_[c\\-d]\\@$', 'a-b_-@')).toBe('fits');
  });

  it.each([
    ['lookahead', '^(?=a)a'],
    ['lookbehind', '(?<!a)b'],
    ['a backreference', '(a)\\1'],
    ['a backreference by name', '(?<n>a)\\k<n>'],
    ['a syntax error', '('],
    ['flags of another language', '(?i)a'],
    ['an anchor of another language', '\\Aa'],
    ['half of a character', '\\ud83d'],
    ['too many repetitions', '(a{100}){100}'],
    ['too many characters', 'a'.repeat(501)],
  ])('is unknown with %s', (_what, pattern) => {
    const patterns = createLinearPatterns();
    expect([patterns.knows(pattern), patterns.fit(pattern, 'aa')]).toEqual([false, 'unknown']);
  });

  it('takes a limited number of steps in one check, for all texts together', () => {
    const patterns = createLinearPatterns();
    const long = 'a'.repeat(50_000);
    const results = Array.from({ length: 20 }, () => patterns.fit('^(?:a?){3}$', long));
    expect(new Set(results)).toEqual(new Set(['unfit', 'unknown']));
    expect(patterns.fit('b', 'b')).toBe('unknown');
    expect(createLinearPatterns().fit('^(?:.?){60}x$', long)).toBe('unknown');
  });
});

const upper = { pattern: '^[A-Z]+$' };
const odd = { pattern: '^(?=x)' };

describe('the patterns of a schema', () => {
  it.each<[string, object, unknown, object[]]>([
    ['of properties', { properties: { a: upper } }, { a: 'b', c: 'd' }, [{ path: ['a'], fit: 'unfit' }]],
    ['of items', { items: upper }, ['A', 'b'], [{ path: [1], fit: 'unfit' }]],
    ['of first items', { prefixItems: [upper], items: {} }, ['a', 'b'], [{ path: [0] }]],
    ['of other properties', { additionalProperties: upper }, { a: 'b' }, [{ path: ['a'] }]],
    ['of names', { propertyNames: upper }, { a: 1, B: 2 }, [{ path: ['a'] }]],
    ['that name properties', { patternProperties: { '^a': upper } }, { a: 'b', c: 'd' }, [{ path: ['a'] }]],
    [
      'that depend on a property',
      { dependentSchemas: { a: { properties: { b: upper } } } },
      { a: 1, b: 'c' },
      [{}],
    ],
    ['in a reference', { $ref: '#/$defs/u', $defs: { u: upper } }, 'a', [{ path: [] }]],
    ['in all of several', { allOf: [upper, odd] }, 'a', [{ fit: 'unfit' }, { fit: 'unknown' }]],
    [
      'of an alternative',
      { anyOf: [{ type: 'null' }, { type: 'string', ...upper }] },
      'a',
      [{ fit: 'unfit' }],
    ],
    ['of an alternative that fits', { anyOf: [{ type: 'number', ...odd }, upper] }, 'A', []],
    ['of an alternative of another type', { anyOf: [{ type: 'null' }, { type: 'number' }] }, 'a', []],
    ['of two alternatives that both fit', { oneOf: [upper, { pattern: 'A' }] }, 'A', [{ fit: 'unfit' }]],
    [
      'of an alternative with a constant',
      { oneOf: [{ properties: { k: { const: 1 }, v: upper } }, { properties: { k: { const: 2 } } }] },
      { k: 2, v: 'a' },
      [],
    ],
    ['that must not fit', { not: upper }, 'A', [{ fit: 'unfit' }]],
    ['that must not fit, and are unknown', { not: odd }, 'A', [{ fit: 'unknown' }]],
    [
      'of a condition',
      { if: upper, then: { pattern: 'X' }, else: { pattern: 'y' } },
      'ab',
      [{ fit: 'unfit' }],
    ],
    ['of an unknown condition', { if: odd, then: {}, else: {} }, 'a', []],
    ['of an item that a list must contain', { contains: upper }, ['a'], [{ path: [] }]],
    ['that are unknown', { properties: { a: odd } }, { a: 'x' }, [{ path: ['a'], fit: 'unknown' }]],
    ['of a value of another type', { properties: { a: upper } }, { a: 5 }, []],
    [
      'of a value that is wrong in another way',
      { required: ['b'], properties: { a: upper } },
      { a: 'A' },
      [],
    ],
  ])('%s are evaluated', (_where, schema, value, expected) => {
    expect(patternFaults(schema, value)).toMatchObject(expected);
    expect(patternFaults(schema, value)).toHaveLength(expected.length);
  });

  it.each([
    ['refers to itself', { $ref: '#', ...upper }],
    [
      'grows with each reference',
      {
        ...Object.fromEntries(
          Array.from({ length: 40 }, (_, n) => [
            `d${n}`,
            { allOf: [{ $ref: `#/d${n + 1}` }, { $ref: `#/d${n + 1}` }] },
          ]),
        ),
        $ref: '#/d0',
        d40: upper,
      },
    ],
  ])('of a schema that %s take a limited number of steps', (_what, schema) => {
    expect(patternFaults(schema, 'A').every(({ fit }) => fit === 'unknown')).toBe(true);
  });
});
