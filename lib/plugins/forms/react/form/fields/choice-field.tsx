'use client';

import { constantOf } from '../../../client/field.ts';
import { optionName, valuesOf } from '../../../client/field-texts.ts';
import { FieldNotes, Optional } from '../field-frame.tsx';
import type { FieldProps } from '../field-props.ts';
import { useForm } from '../form-context.ts';
import { emptyOptions, type Option, Options } from '../options.tsx';
import { useField } from '../use-field.ts';

/** A choice of one value, with “Not set” and “None” if these are allowed. A constant cannot be changed. */
export function ChoiceField(props: FieldProps<'choice' | 'yes-no'>) {
  const { field, draft, place } = props;
  const { words } = useForm();
  const values = valuesOf(field);
  const options = values.map((value, index): Option => {
    const name = optionName(field, value, words);
    const label = value === field.default ? words.defaultOption(name) : name;
    return { key: String(index), label, draft: { type: 'value', value } };
  });
  const chosen = draft.type === 'value' ? String(values.indexOf(draft.value)) : draft.type;
  if (place.isRequired && draft.type === 'value' && constantOf(field) !== undefined) {
    return <Constant {...props} text={optionName(field, draft.value, words)} />;
  }
  return <Options {...props} chosen={chosen} options={[...emptyOptions(props, words), ...options]} />;
}

function Constant({ field, place, text }: FieldProps<'choice' | 'yes-no'> & { text: string }) {
  const facts = useField(field, place);
  return (
    <div data-countersign="field" data-type="constant">
      <p data-countersign="field-label">
        <span>{facts.name}</span>
        <Optional place={place} />
      </p>
      <p data-countersign="field-constant">{text}</p>
      <FieldNotes {...facts} />
    </div>
  );
}
