'use client';

import { newDraft } from '../../../client/field-draft.ts';
import type { FieldProps } from '../field-props.ts';
import { useForm } from '../form-context.ts';
import { nameOf } from '../use-field.ts';

/** Sets a nullable field to `null`, which is not the same as leaving it out or empty. */
export function NullBox({ field, draft, initial, place, onChange }: FieldProps) {
  const { words } = useForm();
  const other = initial.type === 'null' ? newDraft({ ...field, default: undefined }) : initial;
  if (!field.isNullable) return null;
  return (
    <label data-countersign="field-option">
      <input
        type="checkbox"
        checked={draft.type === 'null'}
        aria-label={`${words.nullValue}: ${nameOf(field, place)}`}
        onChange={(event) => onChange(event.target.checked ? { type: 'null' } : other)}
      />
      <span>{words.nullValue}</span>
    </label>
  );
}
