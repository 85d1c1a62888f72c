import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { canonicalJson, copyJson, isSameJson, jsonText, toJson } from '../../lib/protocol/index.ts';

describe('isSameJson', () => {
  it.each<[title: string, a: unknown, b: unknown, same: boolean]>([
    ['keys in another order', { to: 'Ana', amount: 3 }, { amount: 3, to: 'Ana' }, true],
    ['keys in another order further in', [{ a: { x: 1, y: 2 } }], [{ a: { y: 2, x: 1 } }], true],
    ['a property that is undefined', { to: 'Ana', note: undefined }, { to: 'Ana' }, true],
    ['a list in another order', [1, 2], [2, 1], false],
    ['a number and its string', { amount: 3 }, { amount: '3' }, false],
    ['null and nothing', { to: null }, {}, false],
    ['undefined and null', undefined, null, false],
    ['undefined twice', undefined, undefined, true],
  ])('compares %s', (_title, a, b, same) => {
    expect(isSameJson(a, b)).toBe(same);
  });
});

describe('copyJson', () => {
  it('shares no part with the original', () => {
    const original = { list: [{ amount: 3 }], none: null };
    const copy = copyJson(original);
    original.list[0] = { amount: 4 };
    original.list.push({ amount: 5 });
    expect(copy).toEqual({ list: [{ amount: 3 }], none: null });
  });

  it('keeps a key that would set the prototype as a key', () => {
    const original: unknown = JSON.parse('{"__proto__":{"isAdmin":true}}');
    const copy = copyJson(original);
    expect(Object.keys(Object(copy))).toEqual(['__proto__']);
    expect(Object(copy).isAdmin).toBeUndefined();
  });
});

describe('toJson', () => {
  const city = { name: 'Oslo' };

  it.each<[title: string, value: unknown, json: unknown]>([
    [
      'an object that occurs twice',
      { from: city, to: city, via: [city] },
      { from: city, to: city, via: [city] },
    ],
    ['a Map with string keys', new Map([['a', new Set([1])]]), { a: [1] }],
    ['a Map with other keys', new Map([[1, 'a']]), [[1, 'a']]],
    [
      'a key that sets a prototype',
      JSON.parse('{"__proto__":{"__proto__":1}}'),
      { '[__proto__]': { '[__proto__]': 1 } },
    ],
    [
      'a Map as a constructor with a prototype',
      [{ constructor: new Map([['prototype', 1]]) }],
      [{ '[constructor]': { prototype: 1 } }],
    ],
    ['a constructor without one', { constructor: { name: 'Lotus' } }, { constructor: { name: 'Lotus' } }],
    ['a text that names one', '{"__proto__":1}', '{"__proto__":1}'],
  ])('copies %s', (_title, value, json) => {
    expect(toJson(value)).toEqual(json);
  });

  it('replaces a cycle, and keeps what only occurs again', () => {
    const trip: Record<string, unknown> = { from: city, to: city };
    trip.back = { of: trip };
    expect(toJson(trip)).toEqual({ from: city, to: city, back: { of: '[circular]' } });
  });

  it('reads an object whose own code throws as unreadable', () => {
    const fail = () => {
      throw new Error('Not now.');
    };
    expect(toJson({ toJSON: fail, toString: fail })).toBe('[unreadable]');
    expect(toJson(Object.assign(Object.create(null), { toJSON: fail }))).toBe('[unreadable]');
  });

  it.each<[what: string, wrap: (inner: unknown) => unknown]>([
    ['objects', (nested) => ({ nested })],
    ['arrays', (nested) => [nested]],
    ['Maps', (nested) => new Map([['nested', nested]])],
    ['Sets', (nested) => new Set([nested])],
    ['objects of `toJSON`', (nested) => ({ toJSON: () => [nested] })],
  ])('throws at no depth of %s, and its result is safe for recursive functions', (_what, wrap) => {
    let nested: unknown = { constructor: { prototype: 1 } };
    for (let depth = 0; depth < 12_000; depth += 1) {
      nested = wrap(nested);
      if (depth % 1_000 !== 0) continue;
      const json = toJson(nested);
      expect(isSameJson(copyJson(json), JSON.parse(canonicalJson(json)))).toBe(true);
      expect(JSON.stringify(json).includes('[nested too deeply]')).toBe(depth >= 500);
    }
  });
});

function proxyOf(toJSON: () => unknown): object {
  return new Proxy({}, { get: (_target, key) => (key === 'toJSON' ? toJSON : undefined) });
}

function hiding(value: object, hidden: Record<string, unknown>): object {
  for (const [key, item] of Object.entries(hidden)) Object.defineProperty(value, key, { value: item });
  return value;
}

describe('jsonText', () => {
  it('calls no function for each field of plain data, which would take several times as long', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const rows = [{ id: 1, paidAt: new Date(0), of: Object.assign(Object.create(null), { name: 'Oslo' }) }];
    const text = jsonText(rows);
    const replacers = stringify.mock.calls.map(([, replacer]) => replacer);
    stringify.mockRestore();
    expect(text).toBe('[{"id":1,"paidAt":"1970-01-01T00:00:00.000Z","of":{"name":"Oslo"}}]');
    expect(replacers).toEqual([undefined]);
  });

  it.each<[what: string, value: unknown]>([
    ['a Proxy that has `toJSON` only when it is read', proxyOf(() => new Map([['a', 1]]))],
    ['a list with a function for `every`', Object.assign([new Map([['a', 1]])], { every: () => true })],
    ['a hidden `toJSON` of a date', hiding(new Date(0), { toJSON: () => new Map([['a', 1]]) })],
    ['a hidden `toISOString` of a date', hiding(new Date(0), { toISOString: () => new Map([['a', 1]]) })],
    ['bytes without their prototype', Object.setPrototypeOf(new Uint8Array([1, 2]), null)],
    [
      'an object of a class',
      new (class Point {
        x = 1;
      })(),
    ],
  ])('writes %s as in a Map, whose content is never plain', (_what, value) => {
    expect(`{"value":${jsonText(value)}}`).toBe(jsonText(new Map([['value', value]])));
  });

  it('calls `toJSON` once: an object of a database may compute its text for long', () => {
    const toJSON = vi.fn(() => ({ name: 'Oslo' }));
    expect(jsonText({ rows: [{ toJSON }] })).toBe('{"rows":[{"name":"Oslo"}]}');
    expect(toJSON).toHaveBeenCalledTimes(1);
  });

  it('ends at the same depth for plain data as for Maps', () => {
    const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
      depth === 0 ? {} : wrap(nested(depth - 1, wrap));
    for (let depth = 495; depth < 505; depth += 1) {
      const plain = jsonText(nested(depth, (inner) => ({ inner })));
      expect(plain).toBe(jsonText(nested(depth, (inner) => new Map([['inner', inner]]))));
    }
  });

  it('writes the same as in a Map, whose content is never plain', () => {
    const special = fc.oneof(
      fc.bigInt(),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
      fc.anything({ withSparseArray: true, withNullPrototype: true, withBoxedValues: true }),
      fc.string({ unit: 'binary' }).map((text) => [text, '\ud800', '\\ud800']),
      fc.anything().map((value) => ({ toJSON: () => new Map([['value', value]]) })),
      fc.anything().map((value) => Object.assign(new Date(0), { toJSON: () => new Set([value]) })),
      fc.anything().map((value) => Object.assign([value], { toJSON: () => new Map([['value', value]]) })),
      fc.constant(new ArrayBuffer(2)),
      fc.constant(Object.assign(() => {}, { toJSON: () => new Map([['a', 1]]) })),
      fc.constant(new (class extends Map<string, number> {})([['a', 1]])),
    );
    const value = fc.oneof(special, fc.array(special), fc.dictionary(fc.string(), special));
    fc.assert(
      fc.property(value, fc.boolean(), (inner, isCyclic) => {
        const given: Record<string, unknown> = { inner, again: inner };
        if (isCyclic) given.self = given;
        expect(jsonText(new Map([['value', given]]))).toBe(`{"value":${jsonText(given)}}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
