import { expect, it } from 'vitest';
import { withPlainTypes } from '../../scripts/package/plain-types.mjs';

const modules = { Immutable: './wire-object.ts', JsonValue: './json.ts' };
const plain = (type: string, schema: string) =>
  withPlainTypes(
    `export declare const schema: ${schema};\nexport type Inferred = ${type}<typeof schema>;`,
    modules,
  );

const object = `z.ZodObject<{
  /** When. */
  at: import("zod").ZodISODateTime;
  tags?: z.ZodArray<z.ZodUnion<[z.ZodString, z.ZodNull]>>;
  input: z.ZodOptional<z.ZodUnknown>;
}, z.core.$strip>`;

it.each([
  ['z.infer', 'tags: (string | null)[]', 'at: string', 'input?: unknown | undefined'],
  [
    'Decoded',
    'readonly tags: readonly (string | null)[]',
    'at: number',
    'input?: JsonValueOfSchema | undefined',
  ],
])('%s of a schema is written out, with its docstrings', (type, ...fields) => {
  const written = plain(type, object).split('Inferred = ')[1];
  expect(written).toContain('/** When. */');
  for (const field of fields) expect(written).toContain(field);
});

it('a type that a schema names is read-only inside, and imported', () => {
  const written = plain('WireObject', '{ plugins: z.ZodOptional<z.ZodType<Plugins, unknown>> }');
  expect(written).toContain("import type { Immutable as ImmutableOfSchema } from './wire-object.ts';");
  expect(written).toContain('readonly plugins?: ImmutableOfSchema<Plugins> | undefined;');
});

it.each([
  ['a part that is not known', '{ at: z.ZodString; by: z.ZodDate }'],
  ['fields that are not listed', 'z.ZodObject<{ at: z.ZodString }, z.core.$loose>'],
])('a type of a schema with %s stays as it is', (_name, schema) => {
  expect(plain('z.infer', schema)).toContain('type Inferred = z.infer<typeof schema>;');
});
