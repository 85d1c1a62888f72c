import type { FormQuestion } from '../../../channels/page-form.ts';
import { readableField } from '../../../client/text/readable-field.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { type FieldPath, pathWithin } from '../../../protocol/field-path.ts';
import { constantOf, type Field } from '../client/field.ts';
import { type Draft, draftOf, newDraft } from '../client/field-draft.ts';
import { parseField } from '../client/parse-field.ts';

/** The kinds of fields that the page can show. */
export type FlatField = Extract<Field, { type: 'text' | 'number' | 'moment' | 'yes-no' | 'choice' }>;

/** A field of the page: its place in the value, and the draft that it begins with. */
export type ValueField = {
  readonly path: FieldPath;
  /** `undefined` for a value without fields and without a title. */
  readonly label: string | undefined;
  readonly isRequired: boolean;
  readonly field: FlatField;
  readonly initial: Draft;
};

/** What a person fills in to approve a question: an object of plain fields, or one plain value. */
export type ValueForm = {
  /** The name of the value in the answer. */
  readonly sentAs: 'value' | 'input';
  readonly field: Field;
  readonly fields: readonly ValueField[];
};

/**
 * The form of a question, as the card would show it. `undefined` if the page cannot show all of it, for example a list, an object within
 * an object or a redacted value.
 *
 * @source ADR 0053
 */
export function valueFormOf(question: FormQuestion): ValueForm | undefined {
  const { needsValue, inputSchema, input } = question;
  if (inputSchema === undefined) return undefined;
  const field = parseField(inputSchema);
  const begun = needsValue ? undefined : draftOf(field, input);
  const fields = fieldsOf(field, begun);
  const isShown = fields.every((each): each is ValueField => {
    return isFlat(each.field) && isPlainName(each.path) && each.initial.type !== 'kept';
  });
  return isShown ? { sentAs: needsValue ? 'value' : 'input', field, fields } : undefined;
}

type AnyField = Omit<ValueField, 'field'> & { readonly field: Field };

function fieldsOf(field: Field, begun: Draft | undefined): readonly AnyField[] {
  if (field.type !== 'object' || field.isNullable) {
    const label = field.title === undefined ? undefined : visibleText(field.title);
    return [{ path: '', label, isRequired: true, field, initial: begun ?? beginning(field, true) }];
  }
  return field.properties.map(({ name, isRequired, field: inner }) => {
    const given = begun?.type === 'object' ? begun.fields[name] : undefined;
    return {
      path: pathWithin('', name),
      label: visibleText(inner.title ?? readableField(name)),
      isRequired,
      field: inner,
      initial: given && given.type !== 'absent' ? given : beginning(inner, isRequired),
    };
  });
}

/** A person who has only this page must choose: nothing but a default or the only value is chosen already. */
function beginning(field: Field, isRequired: boolean): Draft {
  if (!isRequired) return { type: 'absent' };
  const isChoice = field.type === 'choice' || field.type === 'yes-no';
  const isChosen = field.default !== undefined || constantOf(field) !== undefined;
  return isChoice && !isChosen ? { type: 'absent' } : newDraft(field);
}

const flatTypes: ReadonlySet<Field['type']> = new Set<FlatField['type']>([
  'text',
  'number',
  'moment',
  'yes-no',
  'choice',
]);

function isFlat(field: Field): field is FlatField {
  return flatTypes.has(field.type);
}

/** A browser changes line breaks and broken characters in the name of a control. */
function isPlainName(path: FieldPath): boolean {
  return path.isWellFormed() && !/\p{Cc}/u.test(path) && path !== '/__proto__';
}
