'use client';

import type { Field } from '../../client/field.ts';
import type { Draft } from '../../client/field-draft.ts';
import { mostRadios } from '../../client/field-texts.ts';
import { FieldNotes, Optional } from './field-frame.tsx';
import type { FieldProps } from './field-props.ts';
import { useField } from './use-field.ts';

/** One option of a choice. */
export type Option = { readonly key: string; readonly label: string; readonly draft: Draft };

/** “Not set” and “None”, if these are possible. */
export function emptyOptions(
  { field, draft, initial, place }: Omit<FieldProps, 'field'> & { field: Field },
  words: { readonly notGiven: string; readonly nullValue: string },
): Option[] {
  const mayBeAbsent = !place.isRequired || draft.type === 'absent' || initial.type === 'absent';
  return [
    ...(mayBeAbsent ? [{ key: 'absent', label: words.notGiven, draft: { type: 'absent' } as const }] : []),
    ...(field.isNullable ? [{ key: 'null', label: words.nullValue, draft: { type: 'null' } as const }] : []),
  ];
}

/** A choice of one option: up to five as radio buttons, more as a dropdown. */
export function Options({
  chosen,
  options,
  onChange,
  ...props
}: Omit<FieldProps, 'draft' | 'initial'> & { chosen: string; options: readonly Option[] }) {
  const { field, place } = props;
  const facts = useField(field, place);
  const { id, name, problem, describedBy } = facts;
  const choose = (key: string) => {
    const option = options.find((one) => one.key === key);
    if (option) onChange(option.draft);
  };
  const described = {
    'aria-describedby': describedBy,
    'aria-invalid': problem ? true : undefined,
    'aria-required': place.isRequired || undefined,
  };
  if (options.length > mostRadios) {
    return (
      <div data-countersign="field" data-type={field.type} data-invalid={problem ? true : undefined}>
        <label data-countersign="field-label" htmlFor={id}>
          <span>{name}</span>
          <Optional place={place} />
        </label>
        <select
          {...described}
          id={id}
          data-countersign="field-control"
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        >
          {options.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
        <FieldNotes {...facts} />
      </div>
    );
  }
  return (
    <div
      {...described}
      id={id}
      role="radiogroup"
      aria-labelledby={`${id}-name`}
      data-countersign="field"
      data-type={field.type}
      data-invalid={problem ? true : undefined}
      tabIndex={problem ? -1 : undefined}
    >
      <p data-countersign="field-label" id={`${id}-name`}>
        <span>{name}</span>
        <Optional place={place} />
      </p>
      <div data-countersign="field-options">
        {options.map(({ key, label }) => (
          <label key={key} data-countersign="field-option">
            <input type="radio" name={id} checked={chosen === key} onChange={() => choose(key)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <FieldNotes {...facts} />
    </div>
  );
}
