import type { z } from 'zod';

/** The type of a wire object with these fields. It is read-only, and the fields keep their docstrings. */
export type WireObject<Shape extends z.ZodRawShape> = Immutable<z.infer<z.ZodObject<Shape>>>;

/** A value and everything inside it, read-only. */
export type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Immutable<Value[Field]> }
    : Value;
