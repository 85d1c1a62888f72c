import { isMoment } from '../../../client/text/is-moment.ts';
import { isRecord } from '../../../protocol/json.ts';
import { branchOf, isHidden } from './accepts.ts';
import type { Choice, Field } from './field.ts';

/**
 * A field while it is edited. Numbers and JSON stay text until they are read, because a partially typed text
 * may not be a value.
 */
export type Draft =
  | { readonly type: 'absent' }
  | { readonly type: 'null' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly value: Choice }
  | {
      readonly type: 'object';
      readonly fields: Readonly<Record<string, Draft>>;
      /** Properties that the schema does not name. They are kept unchanged. */
      readonly rest: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'list'; readonly items: readonly ListItem[] }
  /**
   * The chosen branch of a union. The drafts of previously chosen branches are kept, in case they are chosen
   * again.
   */
  | { readonly type: 'branch'; readonly index: number; readonly drafts: Readonly<Record<number, Draft>> }
  /** Keeps its value until it is replaced: redacted, or not of its field's type. */
  | { readonly type: 'kept'; readonly value: unknown };

/** `key` identifies the item, wherever it moves. */
export type ListItem = { readonly key: number; readonly draft: Draft };

/** The draft that editing a value starts from. */
export function draftOf(field: Field, value: unknown): Draft {
  if (value === undefined) return { type: 'absent' };
  if (isHidden(value)) return { type: 'kept', value };
  if (field.type === 'json') return { type: 'text', text: JSON.stringify(value, null, 2) };
  if (value === null) return { type: 'null' };
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? { type: 'text', text: value } : { type: 'kept', value };
    case 'moment':
      return typeof value === 'string' && isMoment(field.precision, value)
        ? { type: 'text', text: value }
        : { type: 'kept', value };
    case 'number':
      return typeof value === 'number' ? { type: 'text', text: String(value) } : { type: 'kept', value };
    case 'yes-no':
      return typeof value === 'boolean' ? { type: 'value', value } : { type: 'kept', value };
    case 'choice': {
      const option = field.options.find((one) => one === value);
      return option === undefined ? { type: 'kept', value } : { type: 'value', value: option };
    }
    case 'list':
      return Array.isArray(value)
        ? { type: 'list', items: value.map((item, key) => ({ key, draft: draftOf(field.item, item) })) }
        : { type: 'kept', value };
    case 'object':
      return isRecord(value) ? objectDraft(field.properties, value) : { type: 'kept', value };
    case 'union':
      return branchDraft(field.branches, value);
  }
}

/** A new draft of a field: its default, or else empty, with its required properties. */
export function newDraft(field: Field): Draft {
  const given = draftOf(field, field.default);
  if (given.type !== 'absent' && given.type !== 'kept') return given;
  switch (field.type) {
    case 'text':
    case 'moment':
    case 'number':
    case 'json':
      return { type: 'text', text: '' };
    case 'yes-no':
      return { type: 'value', value: false };
    case 'choice': {
      const [first] = field.options;
      return first === undefined ? { type: 'absent' } : { type: 'value', value: first };
    }
    case 'list':
      return { type: 'list', items: [] };
    case 'object': {
      const fields = field.properties.map(({ name, isRequired, field: inner }) => {
        const draft: Draft = isRequired ? newDraft(inner) : { type: 'absent' };
        return [name, draft] as const;
      });
      return { type: 'object', fields: Object.fromEntries(fields), rest: {} };
    }
    case 'union': {
      const [first] = field.branches;
      return first ? { type: 'branch', index: 0, drafts: { 0: newDraft(first) } } : { type: 'absent' };
    }
  }
}

/** The draft of an emptied field: `null` if nullable, absent if optional, else an empty text. */
export function emptied({
  field,
  initial,
  place,
}: {
  readonly field: Pick<Field, 'isNullable'>;
  /** The draft that editing started from. */
  readonly initial: Draft;
  readonly place: { readonly isRequired: boolean };
}): Draft {
  const wasText = initial.type === 'text' && initial.text === '';
  if (wasText) return initial;
  if (field.isNullable && (place.isRequired || initial.type === 'null')) return { type: 'null' };
  return place.isRequired ? { type: 'text', text: '' } : { type: 'absent' };
}

/** A key that is unique in the list. */
export function nextKey(items: readonly ListItem[]): number {
  return Math.max(-1, ...items.map(({ key }) => key)) + 1;
}

function branchDraft(branches: readonly Field[], value: unknown): Draft {
  const index = branchOf(branches, value);
  const branch = branches[index];
  return branch
    ? { type: 'branch', index, drafts: { [index]: draftOf(branch, value) } }
    : { type: 'kept', value };
}

function objectDraft(
  properties: readonly { readonly name: string; readonly field: Field }[],
  value: Readonly<Record<string, unknown>>,
): Draft {
  const fields = properties.map(({ name, field }) => {
    return [name, draftOf(field, Object.hasOwn(value, name) ? value[name] : undefined)] as const;
  });
  const known = new Set(properties.map(({ name }) => name));
  const rest = Object.entries(value).filter(([name]) => !known.has(name));
  return { type: 'object', fields: Object.fromEntries(fields), rest: Object.fromEntries(rest) };
}
