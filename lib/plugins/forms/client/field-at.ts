import { type FieldPath, pathWithin } from '../../../protocol/field-path.ts';
import type { Field } from './field.ts';
import type { Draft } from './field-draft.ts';
import { keysOf } from './schema-reference.ts';

/** A field on the way to another: a property by its name or title, an item by its index. */
export type PathStep = { readonly key: string | number; readonly title?: string };

/** The innermost field of a form that holds a place of its value, and the way to it. */
export type PlacedField = { readonly path: FieldPath; readonly steps: readonly PathStep[] };

/** Finds the field for a place. Values inside JSON, and omitted values, have no field of their own. */
export function fieldAt(field: Field, draft: Draft, path: FieldPath): PlacedField {
  return walk(field, draft, keysOf(path), { path: '', steps: [] });
}

function walk(field: Field, draft: Draft, keys: readonly string[], found: PlacedField): PlacedField {
  const [key, ...rest] = keys;
  if (key === undefined) return found;
  if (field.type === 'union' && draft.type === 'branch') {
    const [branch, inner] = [field.branches[draft.index], draft.drafts[draft.index]];
    return branch && inner ? walk(branch, inner, keys, found) : found;
  }
  if (field.type === 'object' && draft.type === 'object') {
    const property = field.properties.find(({ name }) => name === key);
    if (!property || property.isDiscriminator) return found;
    const { title } = property.field;
    const step = { key, title };
    return walk(property.field, draft.fields[key] ?? { type: 'absent' }, rest, within(found, step));
  }
  if (field.type === 'list' && draft.type === 'list') {
    const item = draft.items[Number(key)];
    return item ? walk(field.item, item.draft, rest, within(found, { key: Number(key) })) : found;
  }
  return found;
}

function within({ path, steps }: PlacedField, step: PathStep): PlacedField {
  return { path: pathWithin(path, step.key), steps: [...steps, step] };
}
