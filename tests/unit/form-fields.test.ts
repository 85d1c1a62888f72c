import { asSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Field } from '../../lib/plugins/forms/client/field.ts';
import { fieldAt } from '../../lib/plugins/forms/client/field-at.ts';
import { type Draft, draftOf, newDraft } from '../../lib/plugins/forms/client/field-draft.ts';
import {
  controlText,
  momentText,
  utcControlText,
  utcMomentText,
} from '../../lib/plugins/forms/client/moment.ts';
import { parseField } from '../../lib/plugins/forms/client/parse-field.ts';
import { readDraft } from '../../lib/plugins/forms/client/read-draft.ts';

const card = z.object({ kind: z.literal('card'), number: z.string() });
const account = z.object({ kind: z.literal('account'), iban: z.string(), bank: z.string().optional() });

const everything = z.object({
  due: z.iso.date(),
  at: z.iso.datetime(),
  atHome: z.iso.datetime({ offset: true }),
  opens: z.iso.time(),
  value: z.union([z.string(), z.number()]),
  from: z.discriminatedUnion('kind', [card, account]),
  to: z.discriminatedUnion('kind', [card, account]).nullable(),
  note: z.string().nullable().optional(),
  perDay: z.record(z.enum(['monday', 'tuesday']), z.number()),
  perName: z.record(z.string(), z.number()),
  currency: z.enum(['EUR', 'USD']).default('USD'),
  mail: z.email(),
  site: z.url(),
  version: z.literal(2),
  price: z.number().multipleOf(0.05),
  pair: z.tuple([z.string(), z.number()]),
});

const proposed = {
  due: '2026-02-28',
  at: '2026-02-28T10:30:00.123456Z',
  atHome: '2026-02-28T10:30:00+05:30',
  opens: '08:15',
  value: 4.5,
  from: { kind: 'account', iban: 'DE00' },
  to: null,
  note: null,
  perDay: { monday: 1, tuesday: 2 },
  perName: { ada: 1 },
  mail: 'ada@example.com',
  site: 'https://example.com',
  version: 2,
  price: 0.15,
  pair: ['a', 1],
};

const field = async (schema: z.ZodType = everything) => parseField(await asSchema(schema).jsonSchema);
const problemsOf = (of: Field, draft: Draft) => [...readDraft(of, draft).problems];
const text = (value: string): Draft => ({ type: 'text', text: value });

describe('a field made from a JSON Schema', () => {
  it.each<[string, unknown, unknown]>([
    ['a date', { type: 'string', format: 'date' }, { type: 'moment', precision: 'date' }],
    ['a date and time', { type: 'string', format: 'date-time' }, { type: 'moment', precision: 'date-time' }],
    ['an email address', { type: 'string', format: 'email' }, { type: 'text', format: 'email' }],
    ['a format that no field has', { type: 'string', format: 'uuid' }, { type: 'text' }],
    [
      'named choices of MCP',
      { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      { type: 'choice', options: ['s', 'l'], titles: ['Small', 'Large'] },
    ],
    [
      'titled constants of MCP',
      { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
      { type: 'choice', options: ['s', 'l'], titles: ['Small', 'l'] },
    ],
    ['a default', { type: 'boolean', default: true }, { type: 'yes-no', default: true }],
    [
      'two types and none',
      { type: ['string', 'number', 'null'], title: 'Value' },
      {
        type: 'union',
        branches: [{ type: 'text' }, { type: 'number', isWhole: false }],
        title: 'Value',
        isNullable: true,
      },
    ],
    [
      'a union in a union',
      { anyOf: [{ type: 'boolean' }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }] },
      { type: 'union', branches: [{ type: 'yes-no' }, { type: 'text' }, { type: 'number', isWhole: true }] },
    ],
    [
      'a union with a kind that no field has',
      { anyOf: [{ type: 'string' }, { type: 'array' }] },
      { type: 'json' },
    ],
    [
      'alternatives beside properties',
      { type: 'object', properties: {}, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'json' },
    ],
  ])('reads %s', (_, schema, expected) => {
    expect(parseField(schema)).toEqual(expected);
  });

  it.each([
    ['properties', (each: object) => ({ properties: Object.fromEntries(range.map((n) => [`p${n}`, each])) })],
    ['one alternative', (each: object) => ({ anyOf: [each] })],
    ['alternatives', (each: object) => ({ anyOf: range.map(() => each) })],
  ])('has a limited number of fields for %s that refer to the whole schema', (_what, made) => {
    const fields = (field: Field): number => {
      const inner =
        field.type === 'object'
          ? field.properties.map((each) => fields(each.field))
          : field.type === 'union'
            ? field.branches.map(fields)
            : [];
      return inner.reduce((sum, each) => sum + each, 1);
    };
    expect(fields(parseField(made({ $ref: '#' })))).toBeLessThan(20_000);
  });

  it('sets the constants of a branch with the choice of the branch', async () => {
    const { branches = [] } = (await field(z.union([card, account]))) as { branches?: Field[] };
    expect(branches).toMatchObject([
      { properties: [{ name: 'kind', isDiscriminator: true }, { name: 'number' }] },
      { properties: [{ name: 'kind', isDiscriminator: true }, { name: 'iban' }, { name: 'bank' }] },
    ]);
  });
});

const range = Array.from({ length: 8 }, (_, index) => index);

describe('a form of every kind of field', () => {
  it('changes nothing that was not touched', async () => {
    const whole = await field();
    const { value, problems } = readDraft(whole, draftOf(whole, proposed));
    expect([...problems]).toEqual([]);
    expect(JSON.stringify(value)).toBe(JSON.stringify({ ...proposed, currency: undefined }));
  });

  it.each([
    ['a date that does not exist', { due: '2026-02-30' }],
    ['a time without a zone', { at: '2026-02-28T10:30:00' }],
    ['a kind that is not among the choices', { from: { kind: 'cash' } }],
    ['a hidden union', { from: '[redacted]' }],
    ['a hidden part of a union', { from: { kind: 'card', number: '[redacted]' } }],
    ['a hidden number of a record', { perDay: { monday: '[redacted]', tuesday: 2 } }],
  ])('keeps %s', async (_, changed) => {
    const whole = await field();
    const given = { ...proposed, ...changed };
    expect(readDraft(whole, draftOf(whole, given)).value).toEqual(given);
  });

  it('begins a new object with its defaults and constants', async () => {
    const whole = await field(z.object({ version: z.literal(2), from: account }));
    expect(readDraft(whole, newDraft(whole)).value).toEqual({
      version: 2,
      from: { kind: 'account', iban: '' },
    });
    const withDefault = parseField({
      type: 'object',
      properties: { currency: { enum: ['EUR', 'USD'], default: 'USD' } },
      required: ['currency'],
    });
    expect(readDraft(withDefault, newDraft(withDefault)).value).toEqual({ currency: 'USD' });
  });

  it('takes the branch that knows every key of a value', async () => {
    const union = await field(
      z.union([z.object({ a: z.string() }), z.object({ a: z.string(), b: z.number() })]),
    );
    expect(draftOf(union, { a: 'x', b: 1 })).toMatchObject({ type: 'branch', index: 1 });
    expect(draftOf(union, { a: 'x', c: 1 })).toMatchObject({ type: 'branch', index: 0 });
  });
});

describe('problems of a field', () => {
  const price = { type: 'number', isWhole: false, multipleOf: 0.05 } as const;
  const due = { type: 'moment', precision: 'date' } as const;

  it.each<[string, Field, string, unknown]>([
    ['a number that is no multiple', price, '0.07', { code: 'not-a-multiple', limit: 0.05 }],
    ['no email address', { type: 'text', format: 'email' }, 'ada', { code: 'not-an-email' }],
    ['no URL', { type: 'text', format: 'uri' }, 'example', { code: 'not-a-url' }],
    ['an empty date', due, '', { code: 'missing' }],
    ['a date that does not exist', due, '2026-02-30', { code: 'not-a-moment', precision: 'date' }],
  ])('include %s', (_, of, value, problem) => {
    expect(problemsOf(of, text(value))).toEqual([['', problem]]);
  });

  it.each(['0.15', '0.3', '1000000.05', '0', '-0.1'])('do not include %s as a multiple of 0.05', (value) => {
    expect(problemsOf(price, text(value))).toEqual([]);
  });

  it('include an optional date that is not complete: it would be left out silently', () => {
    const whole: Field = { type: 'object', properties: [{ name: 'due', isRequired: false, field: due }] };
    const draft: Draft = { type: 'object', fields: { due: text('') }, rest: {} };
    expect(problemsOf(whole, draft)).toEqual([['/due', { code: 'not-a-moment', precision: 'date' }]]);
  });

  it('are shown at the field of the chosen branch', async () => {
    const whole = await field(
      z.object({ from: z.union([card.extend({ number: z.string().min(1) }), account]) }),
    );
    const draft = draftOf(whole, { from: { kind: 'card', number: '' } });
    expect(problemsOf(whole, draft)).toEqual([['/from/number', { code: 'missing' }]]);
  });
});

describe('a date and time that a person chose', () => {
  const kind = { type: 'moment', precision: 'date-time' } as const;
  const utc = new Date(2026, 1, 28, 11, 45).toISOString().replace('.000Z', 'Z');

  it('is shown on the clock of this person', () => {
    expect(controlText('date-time', new Date(2026, 1, 28, 10, 30).toISOString())).toBe('2026-02-28T10:30');
    expect(controlText('date-time', new Date(2026, 1, 28, 10, 30, 5, 7).toISOString())).toBe(
      '2026-02-28T10:30:05.007',
    );
  });

  it('is sent in UTC, and in the zone of the value before', () => {
    expect(momentText(kind, '2026-02-28T11:45', '')).toBe(utc);
    const shifted = momentText(kind, '2026-02-28T11:45', '2026-02-28T10:30:00+05:30');
    expect(shifted).toMatch(/[+]05:30$/);
    expect(Date.parse(shifted)).toBe(Date.parse(utc));
  });

  it.each(['2026-02-28T10:30:00.123456Z', '2026-02-28T10:30:00-03:00', '2026-02-28t10:30:00z'])(
    'is the value before, %s, if it was chosen again',
    (before) => {
      expect(momentText(kind, controlText('date-time', before), before)).toBe(before);
    },
  );

  it.each([
    ['2026-02-28T10:30:00+05:30', '2026-02-28T05:00'],
    ['2026-02-28T00:00:05Z', '2026-02-28T00:00:05'],
    ['2026-02-28T10:00:00.120456Z', '2026-02-28T10:00:00.120'],
  ])('%s is %s in a control that is in UTC, and is sent unchanged', (before, control) => {
    expect(utcControlText(before)).toBe(control);
    expect(utcMomentText(kind, control, before)).toBe(before);
    expect(utcMomentText(kind, '2026-07-01T11:45', '')).toBe('2026-07-01T11:45:00Z');
  });

  it.each([
    [z.iso.datetime(), /T\d\d:45:00Z$/],
    [z.iso.datetime({ precision: 3 }), /T\d\d:45:00\.000Z$/],
  ])('fits the schema', async (schema, form) => {
    const of = (await field(schema)) as Extract<Field, { type: 'moment' }>;
    const chosen = momentText(of, '2026-02-28T11:45', '');
    expect(chosen).toMatch(form);
    expect(schema.safeParse(chosen).success).toBe(true);
  });

  it.each([
    [z.iso.time(), '', '08:15', '08:15'],
    [z.iso.time(), '10:30:00', '08:15', '08:15:00'],
    [z.iso.time({ precision: 0 }), '', '08:15', '08:15:00'],
    [z.iso.time({ precision: -1 }), '', '08:15', '08:15'],
  ])('has the seconds that its schema or the value before has', async (schema, before, control, expected) => {
    const of = (await field(schema)) as Extract<Field, { type: 'moment' }>;
    expect(of).toMatchObject({ type: 'moment', precision: 'time' });
    expect(momentText(of, control, before)).toBe(expected);
  });
});

describe('the field for a place', () => {
  it.each([
    ['/due', '/due', ['due']],
    ['/from/iban', '/from/iban', ['from', 'iban']],
    ['/from/kind', '/from', ['from']],
    ['/perName/ada', '/perName', ['perName']],
    ['/pair/1', '/pair', ['pair']],
    ['/unknown/x', '', []],
  ])('of %s is %s', async (path, expected, keys) => {
    const whole = await field();
    const found = fieldAt(whole, draftOf(whole, proposed), path);
    expect(found.path).toBe(expected);
    expect(found.steps.map(({ key }) => key)).toEqual(keys);
  });
});
