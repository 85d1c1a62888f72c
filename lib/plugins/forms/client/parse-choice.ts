import { isRecord } from '../../../protocol/json.ts';
import type { Choice, FieldKind } from './field.ts';
import type { Schema } from './schema-reference.ts';

type ChoiceKind = Extract<FieldKind, { type: 'choice' }>;

/**
 * The values of an `enum`, of a `const`, or of alternatives that are constants, without `null`. `undefined` unless all
 * are strings, numbers or booleans.
 * MCP's elicitation names them in `enumNames`, or by the titles of the alternatives.
 */
export function parseChoice(schema: Schema): ChoiceKind | undefined {
  const { enum: values, enumNames: names } = schema;
  if (schema.const !== undefined) return choiceOf([schema.const], []);
  if (Array.isArray(values)) return choiceOf(values, Array.isArray(names) ? names : []);
  const alternatives = schema.oneOf ?? schema.anyOf;
  const areConstants =
    Array.isArray(alternatives) && alternatives.every((one) => isRecord(one) && one.const !== undefined);
  return areConstants
    ? choiceOf(
        alternatives.map((one) => one.const),
        alternatives.map((one) => one.title),
      )
    : undefined;
}

function choiceOf(values: readonly unknown[], names: readonly unknown[]): ChoiceKind | undefined {
  const named = values.flatMap((value, index) => (value === null ? [] : [{ value, name: names[index] }]));
  const options = named.map(({ value }) => value).filter(isChoice);
  if (options.length === 0 || options.length < named.length) return undefined;
  const hasTitles = named.some(({ name }) => typeof name === 'string');
  const titles = named.map(({ value, name }) => (typeof name === 'string' ? name : String(value)));
  return { type: 'choice', options, titles: hasTitles ? titles : undefined };
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
