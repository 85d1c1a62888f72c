import { isRecord } from '../../protocol/index.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Whether a value fits those keywords of a JSON Schema that contain neither schemas nor patterns, as far as they choose an alternative. */
export function fitsPlainly(schema: Schema, value: unknown): boolean {
  const { type, const: constant, enum: values } = schema;
  if (type !== undefined && ![type].flat().some((name) => isOfType(name, value))) return false;
  if (constant !== undefined && !isSame(constant, value)) return false;
  if (Array.isArray(values) && !values.some((each) => isSame(each, value))) return false;
  if (typeof value === 'string') return isBetween(value.length, schema.minLength, schema.maxLength);
  if (typeof value === 'number') return isInRange(value, schema);
  if (Array.isArray(value)) return isBetween(value.length, schema.minItems, schema.maxItems);
  return !isRecord(value) || listOf(schema.required).every((name) => Object.hasOwn(value, String(name)));
}

function isOfType(name: unknown, value: unknown): boolean {
  switch (name) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === name;
  }
}

function isInRange(value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): boolean {
  const isAbove = typeof exclusiveMinimum !== 'number' || value > exclusiveMinimum;
  const isBelow = typeof exclusiveMaximum !== 'number' || value < exclusiveMaximum;
  return isAbove && isBelow && isBetween(value, minimum, maximum);
}

function isBetween(value: number, least: unknown, most: unknown): boolean {
  return (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most);
}

/** Ends at the first difference: a schema can have thousands of constants. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

/** The items of a keyword that has a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
