import { asSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changesBetween } from '../../lib/client/card/changes.ts';
import { draftOf, newDraft } from '../../lib/plugins/forms/client/field-draft.ts';
import { parseField } from '../../lib/plugins/forms/client/parse-field.ts';
import { readDraft } from '../../lib/plugins/forms/client/read-draft.ts';

const order = z.object({
  recipient: z.string().min(1).max(5),
  note: z.string().optional(),
  amount: z.number().positive().max(100),
  count: z.number().int().min(1),
  isUrgent: z.boolean(),
  status: z.enum(['open', 'closed']).nullable(),
  address: z.object({ city: z.string() }).optional(),
  items: z.array(z.object({ sku: z.string().regex(/^[A-Z]{3}$/) })).min(1),
  anything: z.union([z.string(), z.number()]).optional(),
});

const proposed = {
  recipient: 'Alice',
  amount: 30,
  count: 2,
  isUrgent: true,
  status: null,
  items: [{ sku: 'ABC' }],
  anything: 'x',
};

const orderField = async () => parseField(await asSchema(order).jsonSchema);

describe('a form made from a JSON Schema', () => {
  it.each([
    ['a text', { type: 'string', maxLength: 3 }, { type: 'text', maxLength: 3 }],
    ['a number', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', isWhole: false, above: 0 }],
    ['a whole number', { type: 'integer', minimum: 1 }, { type: 'number', isWhole: true, minimum: 1 }],
    ['yes or no', { type: 'boolean' }, { type: 'yes-no' }],
    ['one of some values', { type: 'string', enum: ['a', 'b'] }, { type: 'choice', options: ['a', 'b'] }],
    ['a constant', { const: 'x' }, { type: 'choice', options: ['x'] }],
    ['a nullable type', { type: ['string', 'null'] }, { type: 'text', isNullable: true }],
    [
      'a nullable alternative',
      { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'How many' },
      { type: 'number', isWhole: true, isNullable: true, hint: 'How many' },
    ],
    ['a list', { type: 'array', items: { type: 'string' } }, { type: 'list', item: { type: 'text' } }],
    ['a tuple', { type: 'array', prefixItems: [{}], items: { type: 'string' } }, { type: 'json' }],
    ['alternatives', { anyOf: [{ type: 'string' }, { type: 'object' }] }, { type: 'json' }],
    ['all of several', { allOf: [{ type: 'string' }] }, { type: 'json' }],
    ['any keys', { type: 'object', additionalProperties: { type: 'number' } }, { type: 'json' }],
    ['no schema', undefined, { type: 'json' }],
    ['a reference', { $ref: '#/$defs/name', $defs: { name: { type: 'string' } } }, { type: 'text' }],
    ['a reference that leads nowhere', { $ref: '#/$defs/name' }, { type: 'json' }],
  ])('reads %s correctly', (_, schema, field) => {
    expect(parseField(schema)).toEqual(field);
  });

  it('ends at a schema that contains itself, which is edited as JSON from there', () => {
    const schema = { type: 'object', properties: { child: { $ref: '#' } } };
    expect(JSON.stringify(parseField(schema))).toContain('json');
  });

  it('returns exactly its initial value if nothing is changed', async () => {
    const field = await orderField();
    const { value, problems } = readDraft(field, draftOf(field, proposed));
    expect(value).toEqual(proposed);
    expect([...problems]).toEqual([]);
  });

  it('keeps properties that the schema does not name, and hidden ones', async () => {
    const field = await orderField();
    const hidden = { ...proposed, amount: '[redacted]', extra: { kept: true } };
    expect(readDraft(field, draftOf(field, hidden)).value).toEqual(hidden);
  });
});

describe('invalid values in a form', () => {
  it.each([
    ['/recipient', { recipient: '' }, { code: 'missing' }],
    ['/recipient', { recipient: 'Alice B' }, { code: 'too-long', limit: 5 }],
    ['/amount', { amount: 0 }, { code: 'not-above', limit: 0 }],
    ['/amount', { amount: 101 }, { code: 'too-large', limit: 100 }],
    ['/count', { count: 1.5 }, { code: 'not-whole' }],
    ['/count', { count: 0 }, { code: 'too-small', limit: 1 }],
    ['/items', { items: [] }, { code: 'too-few', limit: 1 }],
    ['/items/0/sku', { items: [{ sku: 'abc' }] }, { code: 'wrong-pattern', pattern: '^[A-Z]{3}$' }],
    ['/isUrgent', { isUrgent: undefined }, { code: 'missing' }],
  ])('are reported at %s for %j', async (path, changed, problem) => {
    const field = await orderField();
    const { problems } = readDraft(field, draftOf(field, { ...proposed, ...changed }));
    expect([...problems]).toEqual([[path, problem]]);
  });

  it.each([{ amount: 100 }, { count: 1 }, { recipient: 'Alice' }])(
    'do not include the bounds: %j',
    async (changed) => {
      const field = await orderField();
      expect(readDraft(field, draftOf(field, { ...proposed, ...changed })).problems.size).toBe(0);
    },
  );

  it.each(['', 'ten', '0x10', '1,5', 'Infinity', '--1'])('include “%s” in a number field', (text) => {
    const { problems } = readDraft({ type: 'number', isWhole: false }, { type: 'text', text });
    expect(problems.size).toBe(1);
  });

  it.each([
    ['1', 1],
    [' -2.50 ', -2.5],
    ['1e3', 1000],
    ['.5', 0.5],
  ])('do not include “%s” in a number field', (text, value) => {
    expect(readDraft({ type: 'number', isWhole: false }, { type: 'text', text })).toEqual({
      value,
      problems: new Map(),
    });
  });

  it('include JSON that cannot be parsed', () => {
    expect(readDraft({ type: 'json' }, { type: 'text', text: '{"a":' }).problems.get('')).toEqual({
      code: 'not-json',
    });
  });

  it('do not include text for a pattern that the page does not know: the server checks it', () => {
    const field = { type: 'text', pattern: '^[a-z]+$' } as const;
    expect(readDraft(field, { type: 'text', text: 'X' }).problems.size).toBe(0);
  });

  it('a new object requires its required properties, and nothing else', async () => {
    const field = await orderField();
    const { problems } = readDraft(field, newDraft(field));
    expect([...problems.keys()]).toEqual(['/recipient', '/amount', '/count', '/items']);
  });
});

describe('the difference between proposed and edited arguments', () => {
  it.each([
    ['nothing, whatever the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['one field', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ path: ['b'], before: 2, after: 3 }]],
    ['a field that is new', {}, { a: 1 }, [{ path: ['a'], before: undefined, after: 1 }]],
    ['a field deep inside', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: ['a', 'b'], before: 1, after: 2 }]],
    ['an item', { l: [1, 2] }, { l: [1, 3] }, [{ path: ['l', 1], before: 2, after: 3 }]],
    [
      'a list that grew, as a whole',
      { l: [1] },
      { l: [1, 2] },
      [{ path: ['l'], before: [1], after: [1, 2] }],
    ],
    ['the whole', 1, 2, [{ path: [], before: 1, after: 2 }]],
  ])('is %s', (_, before, after, changes) => {
    expect(changesBetween(before, after)).toEqual(changes);
  });
});
