import type { z } from 'zod';
import type { JsonValue } from '../json.ts';
import type { Immutable } from './wire-object.ts';

/** The value in code of a wire schema: times are epoch milliseconds, and values without a schema are JSON. */
export type Decoded<Schema> = Schema extends z.ZodISODateTime
  ? number
  : Schema extends z.ZodOptional<infer Inner>
    ? Decoded<Inner> | undefined
    : Schema extends z.ZodObject<infer Shape>
      ? DecodedFields<Shape>
      : Schema extends z.ZodArray<infer Item>
        ? readonly Decoded<Item>[]
        : Schema extends z.ZodDiscriminatedUnion<infer Options>
          ? Decoded<Options[number]>
          : Schema extends z.ZodUnknown
            ? JsonValue
            : z.output<Schema>;

/** The same for the fields of an object. They keep their docstrings. */
export type DecodedFields<Shape extends z.ZodRawShape, Fields = z.output<z.ZodObject<Shape>>> = {
  readonly [Field in keyof Fields]: Field extends keyof Shape ? Decoded<Shape[Field]> : never;
};

/** The fields that a schema names, without those that are `undefined`, and with times as text. Checks nothing. */
export function encode<Schema extends z.ZodType>(
  schema: Schema,
  value: Decoded<Schema>,
): Immutable<z.output<Schema>> {
  return encoded(schema, value) as Immutable<z.output<Schema>>;
}

function encoded(schema: z.core.SomeType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'datetime' ? new Date(value as number).toISOString() : value;
    case 'optional':
      return encoded(def.innerType, value);
    case 'array':
      return (value as readonly unknown[]).map((item) => encoded(def.element, item));
    case 'object':
      return encodedFields(def.shape, value as Fields);
    case 'union': {
      const option = def.options.find((each) => isOption(each, def, value as Fields));
      return option ? encoded(option, value) : value;
    }
    default:
      return value;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function encodedFields(shape: Readonly<Record<string, z.core.SomeType>>, value: Fields): Fields {
  const fields: Record<string, unknown> = {};
  // Most fields of a question are absent, and a loop allocates nothing for them.
  for (const name in shape) {
    const [schema, field] = [shape[name], value[name]];
    if (schema !== undefined && field !== undefined) fields[name] = encoded(schema, field);
  }
  return fields;
}

/** Whether a value has the discriminator of this option. */
function isOption(option: z.core.SomeType, union: z.core.$ZodUnionDef, value: Fields): boolean {
  if (!('discriminator' in union)) return false;
  const name = String(union.discriminator);
  return option._zod.propValues?.[name]?.has(value[name] as string) === true;
}
