import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encode } from '../../lib/protocol/wire/codec.ts';
import { timeSchema } from '../../lib/protocol/wire/time.ts';

const at = Date.UTC(2030, 0, 1);
const text = '2030-01-01T00:00:00.000Z';
const stateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('done'), at: timeSchema }),
  z.object({ state: z.literal('open') }),
]);

describe('the wire form of a value', () => {
  it.each([
    ['has times as text', z.object({ at: timeSchema }), { at }, { at: text }],
    ['has described times as text', z.object({ at: timeSchema.describe('When.') }), { at }, { at: text }],
    ['has no field that is undefined', z.object({ at: timeSchema.optional() }), { at: undefined }, {}],
    [
      'has no field that the schema does not name',
      z.object({ id: z.string() }),
      { id: 'a', secret: 'b' },
      { id: 'a' },
    ],
    [
      'keeps null, false, 0 and empty text',
      z.object({ a: z.unknown(), b: z.boolean(), c: z.number(), d: z.string() }),
      { a: null, b: false, c: 0, d: '' },
      { a: null, b: false, c: 0, d: '' },
    ],
    [
      'encodes items',
      z.object({ all: z.array(z.object({ at: timeSchema })) }),
      { all: [{ at, more: 1 }] },
      { all: [{ at: text }] },
    ],
    [
      'encodes the option that the value has',
      stateSchema,
      { state: 'done', at, more: 1 },
      { state: 'done', at: text },
    ],
    [
      'keeps a value without a schema',
      z.object({ input: z.unknown() }),
      { input: { at, more: 1 } },
      { input: { at, more: 1 } },
    ],
  ])('%s', (_title, schema: z.ZodType<unknown>, value, expected) => {
    expect(encode(schema, value)).toStrictEqual(expected);
  });
});
