import { isRecord } from '../../protocol/json.ts';
import type { Choice, Field, FieldKind, Property } from './field.ts';

/** Deeper and recursive schemas are edited as JSON from this depth on. */
const deepest = 6;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Converts a tool's JSON Schema to a form field. Never fails: what no field fits becomes a `json` field.
 *
 * @param schema as `GET /api/approvals/{id}` gives it
 * @source H9
 */
export function parseField(schema: unknown): Field {
  return isRecord(schema) ? fieldOf(schema, schema, 0) : { type: 'json' };
}

function fieldOf(given: Schema, root: Schema, depth: number): Field {
  const schema = resolved(given, root);
  const alternatives = list(schema.anyOf) ?? list(schema.oneOf);
  const [only, ...others] = (alternatives ?? []).filter((one) => !isNull(one));
  if (alternatives && only && others.length === 0) {
    const isNullable = alternatives.length > 1;
    return { ...fieldOf(only, root, depth), ...toldOf(schema), ...(isNullable && { isNullable }) };
  }
  const types = typesOf(schema);
  const isNullable = types.includes('null') || listed(schema.enum).includes(null);
  return {
    ...kindOf(
      schema,
      types.filter((type) => type !== 'null'),
      root,
      depth,
    ),
    ...toldOf(schema),
    ...(isNullable && { isNullable }),
  };
}

function kindOf(schema: Schema, types: readonly string[], root: Schema, depth: number): FieldKind {
  const options = optionsOf(schema);
  if (options) return { type: 'choice', options };
  const hasOneType = types.length === 1 && !schema.anyOf && !schema.oneOf && !schema.allOf;
  if (!hasOneType || depth >= deepest) return { type: 'json' };
  switch (types[0]) {
    case 'string':
      return {
        type: 'text',
        ...numbers(schema, { minLength: 'minLength', maxLength: 'maxLength' }),
        ...(typeof schema.pattern === 'string' && { pattern: schema.pattern }),
      };
    case 'number':
    case 'integer': {
      const bounds = {
        minimum: 'minimum',
        maximum: 'maximum',
        above: 'exclusiveMinimum',
        below: 'exclusiveMaximum',
      } as const;
      return { type: 'number', isWhole: types[0] === 'integer', ...numbers(schema, bounds) };
    }
    case 'boolean':
      return { type: 'yes-no' };
    case 'array':
      return isRecord(schema.items) && !schema.prefixItems
        ? {
            type: 'list',
            item: fieldOf(schema.items, root, depth + 1),
            ...numbers(schema, { minItems: 'minItems', maxItems: 'maxItems' }),
          }
        : { type: 'json' };
    case 'object':
      return isRecord(schema.properties)
        ? { type: 'object', properties: propertiesOf(schema, schema.properties, root, depth) }
        : { type: 'json' };
    default:
      return { type: 'json' };
  }
}

function propertiesOf(schema: Schema, properties: Schema, root: Schema, depth: number): Property[] {
  const required = listed(schema.required);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    field: isRecord(property) ? fieldOf(property, root, depth + 1) : { type: 'json' },
  }));
}

/** Resolves references within the document. A dangling or circular reference resolves to an empty schema. */
function resolved(schema: Schema, root: Schema): Schema {
  let current = schema;
  for (let step = 0; step < deepest && typeof current.$ref === 'string'; step += 1) {
    const { $ref, ...besides } = current;
    const target = targetOf(String($ref), root);
    if (!target) return {};
    current = { ...target, ...besides };
  }
  return current;
}

function targetOf(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const keys = reference
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = keys.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
  return isRecord(target) ? target : undefined;
}

/** The values of an `enum` or a `const`, without `null`; `undefined` unless all are strings, numbers or booleans. */
function optionsOf(schema: Schema): readonly Choice[] | undefined {
  const values = schema.const !== undefined ? [schema.const] : listed(schema.enum);
  const choices = values.filter(isChoice);
  const plain = values.filter((value) => value !== null);
  return choices.length > 0 && choices.length === plain.length ? choices : undefined;
}

function typesOf({ type, properties }: Schema): readonly string[] {
  if (typeof type === 'string') return [type];
  if (type === undefined && isRecord(properties)) return ['object'];
  return listed(type).filter((one) => typeof one === 'string');
}

function toldOf({ title, description }: Schema): Pick<Field, 'title' | 'hint'> {
  return {
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof description === 'string' && description !== '' && { hint: description }),
  };
}

/** The numbers of a schema, by the names that a field gives them. */
function numbers<Name extends string>(
  schema: Schema,
  names: Readonly<Record<Name, string>>,
): { [Key in Name]?: number } {
  const found: { [Key in Name]?: number } = {};
  for (const name in names) {
    const value = schema[names[name]];
    if (typeof value === 'number') found[name] = value;
  }
  return found;
}

function isNull({ type, const: constant }: Schema): boolean {
  return type === 'null' || constant === null;
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function list(value: unknown): readonly Schema[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord) ? value : undefined;
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
