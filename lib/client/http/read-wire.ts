import { isRecord } from '../../protocol/json.ts';

// Functions without side effects: bundlers leave out readers that a page does not use.

/** Reads a value that another version of the server may have sent; `undefined` when it does not fit. */
export type Read<Value> = (value: unknown) => Value | undefined;

/** A field that may be absent. If it does not fit, it is left out, or, with `mustFit`, its object does not fit either. */
export type OptionalField<Value> = { readonly optional: Read<Value>; readonly mustFit?: boolean };

/** How to read each field of an object. The compiler compares it with the type, which comes from the schema of the server. */
export type Fields<Value> = {
  readonly [Name in keyof Value]-?: unknown extends Value[Name]
    ? OptionalField<unknown>
    : Record<never, never> extends Pick<Value, Name>
      ? OptionalField<NonNullable<Value[Name]>>
      : Read<Value[Name]>;
};

export const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined);
export const number: Read<number> = (value) => (typeof value === 'number' ? value : undefined);
export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** A moment in ISO 8601, in UTC. */
export const time: Read<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/* @__NO_SIDE_EFFECTS__ */
export function optional<Value>(read: Read<Value>): OptionalField<Value> {
  return { optional: read };
}

/** A field that may be absent, but must not be left out: without it, its object says something else. */
/* @__NO_SIDE_EFFECTS__ */
export function absentOr<Value>(read: Read<Value>): OptionalField<Value> {
  return { optional: read, mustFit: true };
}

/** A field that may have any value. JSON has no `undefined`, so it may be absent. */
export const anything = optional<unknown>((value) => value);

/** One of these texts, numbers or booleans. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Value extends string | boolean>(...values: Value[]): Read<Value> {
  return (value) => values.find((known) => known === value);
}

/** A list whose items all fit. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<Value>(read: Read<Value>): Read<Value[]> {
  return (value) => {
    const items = Array.isArray(value) ? value.map(read) : [undefined];
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

/** A list whose items are read one by one, so that an invalid one does not hide the others. */
export const anyItems: Read<unknown[]> = (value) => (Array.isArray(value) ? value : undefined);

/** The first that fits. */
/* @__NO_SIDE_EFFECTS__ */
export function anyOf<Value>(...reads: Read<Value>[]): Read<Value> {
  return (value) => reads.map((read) => read(value)).find((read) => read !== undefined);
}

/**
 * An object. A required field must fit. An `optional` one that does not is left out, also inside other objects. Unknown fields are
 * dropped, and fields without a value are absent, not `undefined`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function object<Value extends object>(fields: Fields<Value>): Read<Value> {
  const reads = Object.entries<Read<unknown> | OptionalField<unknown>>(fields);
  return (value) => {
    if (!isRecord(value)) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, field] of reads) {
      const isRequired = typeof field === 'function';
      const given = isRequired ? field(value[name]) : field.optional(value[name]);
      if (given !== undefined) found[name] = given;
      else if (isRequired || (field.mustFit && value[name] !== undefined)) return undefined;
    }
    return found as Value;
  };
}

/** An object of which any field may be absent. */
/* @__NO_SIDE_EFFECTS__ */
export function partial<Value extends object>(fields: Fields<Value>): Read<Partial<Value>> {
  const entries = Object.entries<Read<unknown> | OptionalField<unknown>>(fields);
  const optionals = entries.map(([name, field]) => [
    name,
    typeof field === 'function' ? optional(field) : field,
  ]);
  return object(Object.fromEntries(optionals) as Fields<Partial<Value>>);
}
