import { CountersignError, isRecord, type JsonObject, type JsonValue, toJson } from '../../protocol/index.ts';
import { dangerOf } from '../../protocol/safe-json.ts';
import { patternFaults } from '../patterns/judge-patterns.ts';

const maxCharacters = 10_000;
const maxFields = 50;

const emptyForm: JsonObject = { type: 'object', properties: {} };

/**
 * Checks a form: that of MCP's elicitation, so that any page can show it.
 *
 * @throws CountersignError `invalid-request`
 * @source ADR 0037
 */
export function parseForm(schema: unknown): JsonObject {
  if (schema === undefined) return emptyForm;
  const danger = dangerOf(schema);
  if (danger) throw refuse(danger);
  const form = toJson(schema);
  if (!isRecord(form) || form.type !== 'object') throw refuse('must be of type `object`');
  if (JSON.stringify(form).length > maxCharacters) throw refuse(`may have ${maxCharacters} characters`);
  const fields = Object.entries(fieldsOf(form));
  if (fields.length > maxFields) throw refuse(`may have ${maxFields} fields`);
  for (const [name, field] of fields) {
    const isList = isRecord(field) && field.type === 'array';
    const isKnown = isList ? choicesOf(field.items) !== undefined : kindOf(field) !== undefined;
    if (!isKnown) {
      throw refuse(
        `has the field \`${name}\`, which is no string, number, boolean, choice or list of choices`,
      );
    }
  }
  return form as JsonObject;
}

export function defaultsOf(form: JsonValue): JsonObject {
  const given = Object.entries(fieldsOf(form)).flatMap(([name, field]) =>
    isRecord(field) && field.default !== undefined ? [[name, field.default as JsonValue] as const] : [],
  );
  return Object.fromEntries(given);
}

/** Why content does not fit a form: the end of a sentence, the field that is missing or wrong, and the pattern that it does not fit. */
export type FieldError = { readonly problem: string; readonly name?: string; readonly pattern?: string };

/** Why this content does not fit a form; `undefined` if it does. What the engine cannot check passes. */
export function fieldErrorOf(form: JsonValue, content: JsonValue): FieldError | undefined {
  if (!isRecord(content)) return { problem: 'is not an object' };
  const fields = fieldsOf(form);
  const required = isRecord(form) && Array.isArray(form.required) ? form.required : [];
  const missing = required.map(String).find((name) => !Object.hasOwn(content, name));
  if (missing !== undefined) return { problem: `lacks the field \`${missing}\``, name: missing };
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(fields, name)) return { problem: `has the unknown field \`${name}\`` };
    if (!fits(fields[name], value))
      return { problem: `has a value that does not fit its field \`${name}\``, name };
  }
  const wrong = patternFaults(form, content).find(({ fit }) => fit === 'unfit');
  if (!wrong) return undefined;
  const name = String(wrong.path[0]);
  const { pattern } = wrong;
  return { problem: `does not have the format of its field \`${name}\``, name, pattern };
}

function fieldsOf(form: JsonValue): Readonly<Record<string, unknown>> {
  return isRecord(form) && isRecord(form.properties) ? form.properties : {};
}

function kindOf(field: unknown): 'string' | 'number' | 'integer' | 'boolean' | 'choice' | undefined {
  if (choicesOf(field)) return 'choice';
  const type = isRecord(field) ? field.type : undefined;
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'
    ? type
    : undefined;
}

/** The values of a choice, written as `enum`, or as a list of `const` with titles. */
function choicesOf(field: unknown): readonly unknown[] | undefined {
  if (!isRecord(field)) return undefined;
  if (Array.isArray(field.enum)) return field.enum;
  const titled = field.oneOf ?? field.anyOf;
  const isChoice = Array.isArray(titled) && titled.every((each) => isRecord(each) && 'const' in each);
  return isChoice ? titled.map((each) => (each as { const: unknown }).const) : undefined;
}

function fits(field: unknown, value: unknown): boolean {
  if (!isRecord(field)) return false;
  if (field.type === 'array') {
    const { minItems, maxItems, items } = field;
    const isWithin = Array.isArray(value) && isBetween(value.length, minItems, maxItems);
    return isWithin && value.every((item) => choicesOf(items)?.includes(item));
  }
  switch (kindOf(field)) {
    case 'choice':
      return choicesOf(field)?.includes(value) === true;
    case 'string':
      return typeof value === 'string' && isBetween([...value].length, field.minLength, field.maxLength);
    case 'integer':
      return Number.isInteger(value) && isBetween(value as number, field.minimum, field.maximum);
    case 'number':
      return typeof value === 'number' && isBetween(value, field.minimum, field.maximum);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return false;
  }
}

function isBetween(value: number, least: unknown, most: unknown): boolean {
  return (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most);
}

function refuse(problem: string): CountersignError {
  return new CountersignError('invalid-request', `The schema of a question ${problem}.`);
}
