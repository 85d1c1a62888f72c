import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../lib/protocol/index.ts';
import { defaultsOf, fieldErrorOf, parseForm } from '../../lib/run/asking/form.ts';

const form = (properties: Record<string, JsonValue>, required: string[] = []): JsonValue => ({
  type: 'object',
  properties,
  required,
});
const size = {
  type: 'string',
  oneOf: [
    { const: 's', title: 'Small' },
    { const: 'l', title: 'Large' },
  ],
};

describe('the form of a question that a running call asks', () => {
  it.each<[string, JsonValue, JsonValue, boolean]>([
    ['no fields, and no content', form({}), {}, true],
    ['a field that is unknown', form({}), { more: 1 }, false],
    ['content that is no object', form({}), ['a'], false],
    ['a required field that is missing', form({ a: { type: 'string' } }, ['a']), {}, false],
    ['an optional field that is missing', form({ a: { type: 'string' } }), {}, true],
    ['a string', form({ a: { type: 'string' } }), { a: 'x' }, true],
    ['a number for a string', form({ a: { type: 'string' } }), { a: 1 }, false],
    ['a string that is too short', form({ a: { type: 'string', minLength: 2 } }), { a: '🙂' }, false],
    ['a string that is too long', form({ a: { type: 'string', maxLength: 1 } }), { a: 'xy' }, false],
    ['a fraction for an integer', form({ a: { type: 'integer' } }), { a: 1.5 }, false],
    ['a number below the minimum', form({ a: { type: 'number', minimum: 2 } }), { a: 1.5 }, false],
    ['a number at the maximum', form({ a: { type: 'number', maximum: 2 } }), { a: 2 }, true],
    ['a boolean', form({ a: { type: 'boolean' } }), { a: false }, true],
    ['a choice', form({ a: { type: 'string', enum: ['x', 'y'] } }), { a: 'y' }, true],
    ['no choice', form({ a: { type: 'string', enum: ['x', 'y'] } }), { a: 'z' }, false],
    ['a titled choice', form({ a: size }), { a: 'l' }, true],
    ['no titled choice', form({ a: size }), { a: 'Large' }, false],
    ['a list of choices', form({ a: { type: 'array', items: size } }), { a: ['s', 'l'] }, true],
    ['a list with another value', form({ a: { type: 'array', items: size } }), { a: ['m'] }, false],
    [
      'a list that is too long',
      form({ a: { type: 'array', items: size, maxItems: 0 } }),
      { a: ['s'] },
      false,
    ],
  ])('judges %s', (_name, schema, content, fits) => {
    expect(fieldErrorOf(parseForm(schema), content) === undefined).toBe(fits);
  });

  it('names the field that is missing or wrong', () => {
    const schema = form({ a: { type: 'string' }, b: { type: 'integer' } }, ['a']);
    expect(fieldErrorOf(schema, { b: 1 })?.name).toBe('a');
    expect(fieldErrorOf(schema, { a: 'x', b: 1.5 })?.name).toBe('b');
    expect(fieldErrorOf(schema, 'x')?.name).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no object', { type: 'string' }],
    ['an object within', form({ a: { type: 'object', properties: {} } })],
    ['a list of texts', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['a field without a type', form({ a: {} })],
    ['a dangerous name', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
    ['more than 10,000 characters', form({ a: { type: 'string', description: 'x'.repeat(10_000) } })],
  ])('refuses %s', (_name, schema) => {
    expect(() => parseForm(schema)).toThrow('schema of a question');
  });

  it('begins with the defaults, and without fields if there is no schema', () => {
    expect(defaultsOf(form({ a: { type: 'string', default: 'x' }, b: { type: 'number' } }))).toEqual({
      a: 'x',
    });
    expect(parseForm(undefined)).toEqual({ type: 'object', properties: {} });
  });
});
