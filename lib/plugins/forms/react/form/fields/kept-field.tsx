'use client';

import type { ReactNode } from 'react';
import { ReadableValue } from '../../../../../react/card/evidence/values/readable-value.tsx';
import { isHidden } from '../../../client/accepts.ts';
import { newDraft } from '../../../client/field-draft.ts';
import { FieldNotes } from '../field-frame.tsx';
import type { FieldProps } from '../field-props.ts';
import { useForm } from '../form-context.ts';
import { nameOf, useField } from '../use-field.ts';

/** A value that is kept until the person replaces it, such as a redacted one. */
export function KeptField({ field, place, value, onChange }: FieldProps & { value: unknown }) {
  const facts = useField(field, place);
  const { id, name, words, problem, describedBy } = facts;
  return (
    <div data-countersign="field" data-type="kept" data-invalid={problem ? true : undefined}>
      <p data-countersign="field-label">{name}</p>
      <div data-countersign="field-kept">
        <span>
          <ReadableValue value={value} />
          <span data-countersign="field-hint">{isHidden(value) ? words.hidden : words.kept}</span>
        </span>
        <button
          type="button"
          id={id}
          data-countersign="field-button"
          aria-label={`${words.replace}: ${name}`}
          aria-describedby={describedBy}
          onClick={() => onChange(newDraft(field))}
        >
          {words.replace}
        </button>
      </div>
      <FieldNotes {...facts} />
    </div>
  );
}

/** A field that replaces a kept value, with a button to restore it. */
export function ReplacedField({
  field,
  initial,
  place,
  onChange,
  children,
}: FieldProps & { children: ReactNode }) {
  const { words } = useForm();
  return (
    <div data-countersign="field-replaced">
      {children}
      <button
        type="button"
        data-countersign="field-button"
        aria-label={`${words.keep}: ${nameOf(field, place)}`}
        onClick={() => onChange(initial)}
      >
        {words.keep}
      </button>
    </div>
  );
}
