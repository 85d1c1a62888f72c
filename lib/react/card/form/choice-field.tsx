'use client';

import type { Choice } from '../../../client/form/field.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './field-props.ts';
import { useForm } from './form-context.ts';

const yesAndNo: readonly Choice[] = [true, false];

/** One of some values; “Not set” and “None” where these are allowed. */
export function ChoiceField({ field, draft, initial, place, onChange }: FieldProps<'choice' | 'yes-no'>) {
  const { words } = useForm();
  const options = field.type === 'choice' ? field.options : yesAndNo;
  const label = (option: Choice) =>
    option === true ? words.yes : option === false ? words.no : String(option);
  const chosen = draft.type === 'value' ? String(options.indexOf(draft.value)) : draft.type;
  const mayBeAbsent = !place.isRequired || draft.type === 'absent' || initial.type === 'absent';
  return (
    <FieldFrame field={field} place={place}>
      {(control) => (
        <select
          {...control}
          data-countersign="field-control"
          value={chosen}
          onChange={(event) => {
            const option = options[Number(event.target.value)];
            if (option !== undefined) onChange({ type: 'value', value: option });
            else onChange({ type: event.target.value === 'null' ? 'null' : 'absent' });
          }}
        >
          {mayBeAbsent && <option value="absent">{words.notGiven}</option>}
          {field.isNullable && <option value="null">{words.nullValue}</option>}
          {options.map((option, index) => (
            <option key={String(option)} value={String(index)}>
              {label(option)}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
