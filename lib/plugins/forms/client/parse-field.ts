import { isRecord } from '../../../protocol/json.ts';
import { uncheckedPatterns } from '../../../protocol/wire/unchecked-patterns.ts';
import { constantOf, type Field, type FieldKind, type Property } from './field.ts';
import { parseMoment } from './moment.ts';
import { parseChoice } from './parse-choice.ts';
import { resolved, type Schema } from './schema-reference.ts';

/** Deeper and recursive schemas are edited as JSON from this depth on. */
const deepest = 6;

/** A schema whose references grow into more fields is edited as JSON from there on. Each field shares its part among its own fields. */
const mostFields = 10_000;

/** Unions of more kinds are edited as JSON. */
const mostBranches = 12;

/**
 * Converts a tool's JSON Schema to a form field. Never fails: what no field fits becomes a `json` field.
 *
 * @param schema as `GET /api/approvals/{id}` gives it
 * @source H9
 */
export function parseField(schema: unknown): Field {
  return isRecord(schema)
    ? fieldOf(schema, { root: schema, depth: 0, fields: mostFields })
    : { type: 'json' };
}

/** Where a schema is, and how many fields it may become. */
type Place = { readonly root: Schema; readonly depth: number; readonly fields: number };

/** @param count of the fields that share the place */
function within({ root, depth, fields }: Place, count: number): Place {
  return { root, depth: depth + 1, fields: fields / count };
}

function fieldOf(given: Schema, place: Place): Field {
  const { root } = place;
  const schema = resolved(given, root);
  const alternatives = list(schema.anyOf) ?? list(schema.oneOf);
  const [only, ...others] = (alternatives ?? []).filter((one) => !isNull(one));
  if (alternatives && only && others.length === 0 && place.fields >= 1) {
    const isNullable = alternatives.length > 1;
    return {
      ...fieldOf(only, { ...place, fields: place.fields / 2 }),
      ...toldOf(schema),
      ...(isNullable && { isNullable }),
    };
  }
  const types = typesOf(schema);
  const isNullable =
    types.includes('null') || listed(schema.enum).includes(null) || alternatives?.some(isNull) === true;
  const kind = kindOf(schema, types, place);
  return {
    ...kind,
    ...toldOf(schema),
    ...(isNullable && { isNullable }),
    ...(hasUnchecked(schema, kind, root) && { isUnchecked: true as const }),
  };
}

/** Whether a pattern of this field, and not only of a field within it, is one that the server cannot check. */
function hasUnchecked(
  schema: Schema,
  { type }: FieldKind,
  { [uncheckedPatterns]: patterns }: Schema,
): boolean {
  const unchecked = listed(patterns);
  if (unchecked.length === 0 || type === 'json') return unchecked.length > 0;
  const { properties, items, anyOf, oneOf, $defs, definitions, [uncheckedPatterns]: _all, ...own } = schema;
  const text = JSON.stringify(own);
  return unchecked.some((pattern) => text.includes(JSON.stringify(pattern)));
}

function kindOf(schema: Schema, allTypes: readonly string[], place: Place): FieldKind {
  const choice = parseChoice(schema);
  if (choice) return choice;
  const types = allTypes.filter((type) => type !== 'null');
  if (place.depth >= deepest || schema.allOf) return { type: 'json' };
  if (types.length !== 1 || schema.anyOf || schema.oneOf) return unionOf(schema, types, place);
  switch (types[0]) {
    case 'string':
      return parseMoment(schema) ?? textOf(schema);
    case 'number':
    case 'integer':
      return { type: 'number', isWhole: types[0] === 'integer', ...numbers(schema, numberBounds) };
    case 'boolean':
      return { type: 'yes-no' };
    case 'array':
      return isRecord(schema.items) && !schema.prefixItems
        ? {
            type: 'list',
            item: fieldOf(schema.items, within(place, 1)),
            ...numbers(schema, { minItems: 'minItems', maxItems: 'maxItems' }),
          }
        : { type: 'json' };
    case 'object':
      return objectOf(schema, place);
    default:
      return { type: 'json' };
  }
}

const numberBounds = {
  minimum: 'minimum',
  maximum: 'maximum',
  above: 'exclusiveMinimum',
  below: 'exclusiveMaximum',
  multipleOf: 'multipleOf',
} as const;

function textOf(schema: Schema): FieldKind {
  const { pattern, format } = schema;
  return {
    type: 'text',
    ...numbers(schema, { minLength: 'minLength', maxLength: 'maxLength' }),
    ...(typeof pattern === 'string' && { pattern }),
    ...((format === 'email' || format === 'uri') && { format }),
  };
}

/** An object with named properties, or a record whose keys are known. */
function objectOf(schema: Schema, place: Place): FieldKind {
  const { properties, propertyNames, additionalProperties } = schema;
  const keys = isRecord(propertyNames) ? listed(propertyNames.enum) : [];
  const named = isRecord(properties)
    ? properties
    : keys.length > 0 && isRecord(additionalProperties)
      ? Object.fromEntries(keys.map((key) => [String(key), additionalProperties]))
      : undefined;
  if (!named || Object.keys(named).length > place.fields) return { type: 'json' };
  return { type: 'object', properties: propertiesOf(schema, named, place) };
}

function propertiesOf(schema: Schema, properties: Schema, place: Place): Property[] {
  const required = listed(schema.required);
  const entries = Object.entries(properties);
  const inner = within(place, entries.length);
  return entries.map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    field: isRecord(property) ? fieldOf(property, inner) : { type: 'json' },
  }));
}

/** A union of several types or alternatives. If a choice cannot represent it, it is edited as JSON. */
function unionOf(schema: Schema, types: readonly string[], place: Place): FieldKind {
  const { anyOf, oneOf, properties, type: _types, title: _title, description: _text, ...rest } = schema;
  const alternatives =
    list(anyOf ?? oneOf)?.filter((one) => !isNull(one)) ?? types.map((type) => ({ ...rest, type }));
  const isMixed = isRecord(properties) || (anyOf !== undefined && oneOf !== undefined);
  const most = Math.min(mostBranches, place.fields);
  if (isMixed || alternatives.length === 0 || alternatives.length > most) return { type: 'json' };
  const inner = within(place, alternatives.length);
  const branches = alternatives
    .map((one) => fieldOf(one, inner))
    .flatMap((branch) => (branch.type === 'union' && !branch.isNullable ? branch.branches : [branch]));
  const isUsable = branches.every(({ type, isNullable }) => type !== 'json' && !isNullable);
  return isUsable ? { type: 'union', branches: branches.map(branchField) } : { type: 'json' };
}

/** A branch whose constant properties are set by choosing it. */
function branchField(branch: Field): Field {
  if (branch.type !== 'object') return branch;
  const properties = branch.properties.map((property) =>
    property.isRequired && constantOf(property.field) !== undefined
      ? { ...property, isDiscriminator: true }
      : property,
  );
  return { ...branch, properties };
}

function typesOf({ type, properties }: Schema): readonly string[] {
  if (typeof type === 'string') return [type];
  if (type === undefined && isRecord(properties)) return ['object'];
  return listed(type).filter((one) => typeof one === 'string');
}

function toldOf(schema: Schema): Pick<Field, 'title' | 'hint' | 'default'> {
  const { title, description } = schema;
  return {
    title: typeof title === 'string' && title !== '' ? title : undefined,
    hint: typeof description === 'string' && description !== '' ? description : undefined,
    default: schema.default,
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

function list(value: unknown): readonly Schema[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord) ? value : undefined;
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
