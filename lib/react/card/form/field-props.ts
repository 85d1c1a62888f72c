import type { Field } from '../../../client/form/field.ts';
import type { Draft } from '../../../client/form/field-draft.ts';
import type { FieldPath } from '../../../client/form/read-draft.ts';

/** Where a field stands in its form, and what it is called there. */
export type FieldPlace = { readonly path: FieldPath; readonly name: string; readonly isRequired: boolean };

/** What every kind of field is given. `initial` is where its editing began: to go back to, and to size it by. */
export type FieldProps<Kind extends Field['type'] = Field['type']> = {
  readonly field: Extract<Field, { type: Kind }>;
  readonly draft: Draft;
  readonly initial: Draft;
  readonly place: FieldPlace;
  readonly onChange: (draft: Draft) => void;
};

/** What an emptied field means: `null` where that is a value, left out where it may be, else an empty text. */
export function emptied({
  field,
  initial,
  place,
}: Pick<FieldProps, 'initial' | 'place'> & { field: Pick<Field, 'isNullable'> }): Draft {
  const wasText = initial.type === 'text' && initial.text === '';
  if (wasText) return initial;
  if (field.isNullable && (place.isRequired || initial.type === 'null')) return { type: 'null' };
  return place.isRequired ? { type: 'text', text: '' } : { type: 'absent' };
}
