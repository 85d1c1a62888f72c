import type { FieldPath } from '../../../../protocol/field-path.ts';
import type { Field } from '../../client/field.ts';
import type { Draft } from '../../client/field-draft.ts';

/** A field's path and name in its form. */
export type FieldPlace = {
  readonly path: FieldPath;
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether a surrounding choice already names it. */
  readonly isInGroup?: boolean;
};

/** Props of every field. `initial` is the draft that editing started from. */
export type FieldProps<Kind extends Field['type'] = Field['type']> = {
  readonly field: Extract<Field, { type: Kind }>;
  readonly draft: Draft;
  readonly initial: Draft;
  readonly place: FieldPlace;
  readonly onChange: (draft: Draft) => void;
};
