'use client';

import type { ReactNode } from 'react';
import { newDraft } from '../../client/field-draft.ts';
import { FieldNotes, Optional } from './field-frame.tsx';
import type { FieldProps } from './field-props.ts';
import { NullBox } from './fields/null-box.tsx';
import { useField } from './use-field.ts';

/** A group of fields. An optional group can be added and removed. The outermost group has no frame. */
export function FieldGroup({
  isOpen,
  children,
  ...props
}: FieldProps<'object' | 'list'> & { isOpen: boolean; children: ReactNode }) {
  const { field, place, onChange } = props;
  const { id, name, words, problem, hints, describedBy } = useField(field, place);
  const isFrameless = place.isInGroup || place.path === '';
  if (isFrameless && isOpen && field.type === 'object') {
    return (
      <div id={id} data-countersign="field-group">
        {place.isInGroup && <FieldNotes id={id} words={words} problem={problem} hints={hints} />}
        {children}
      </div>
    );
  }
  const mayClose = isOpen && (!place.isRequired || field.isNullable);
  return (
    <fieldset
      id={id}
      data-countersign="field-group"
      data-type={field.type}
      data-invalid={problem ? true : undefined}
      aria-describedby={describedBy}
      tabIndex={problem ? -1 : undefined}
    >
      <legend data-countersign="field-label">
        <span>{name}</span>
        <Optional place={place} />
      </legend>
      <FieldNotes id={id} words={words} problem={problem} hints={hints} />
      {isOpen && children}
      {!isOpen && (
        <button
          type="button"
          data-countersign="field-button"
          aria-label={`${words.add}: ${name}`}
          onClick={() => onChange(newDraft(field))}
        >
          {words.add}
        </button>
      )}
      {mayClose && (
        <button
          type="button"
          data-countersign="field-button"
          aria-label={`${words.remove}: ${name}`}
          onClick={() => onChange({ type: field.isNullable && place.isRequired ? 'null' : 'absent' })}
        >
          {words.remove}
        </button>
      )}
      {!isOpen && !place.isRequired && <NullBox {...props} />}
    </fieldset>
  );
}
