'use client';

import { type ReactNode, useId } from 'react';
import type { Field } from '../../../client/form/field.ts';
import { type Draft, newDraft } from '../../../client/form/field-draft.ts';
import { visibleText } from '../../../client/visible-text.ts';
import { nameOf } from './field-frame.tsx';
import type { FieldPlace } from './field-props.ts';
import { useForm } from './form-context.ts';

/** A group of fields. An optional group can be added and removed. The outermost group has no frame. */
export function FieldGroup({
  field,
  place,
  isOpen,
  onChange,
  children,
}: {
  field: Field;
  place: FieldPlace;
  isOpen: boolean;
  onChange: (draft: Draft) => void;
  children: ReactNode;
}) {
  const { words, problems } = useForm();
  const id = useId();
  const problem = problems.get(place.path);
  const name = nameOf(field, place);
  if (place.path === '' && isOpen && field.type === 'object') {
    return <div data-countersign="field-group">{children}</div>;
  }
  const mayClose = isOpen && (!place.isRequired || field.isNullable);
  return (
    <fieldset
      data-countersign="field-group"
      data-type={field.type}
      aria-describedby={problem && `${id}-problem`}
      aria-invalid={problem ? true : undefined}
      tabIndex={problem ? -1 : undefined}
    >
      <legend data-countersign="field-label">
        {name}
        {!place.isRequired && <span data-countersign="field-optional"> {words.optional}</span>}
      </legend>
      {field.hint && <p data-countersign="field-hint">{visibleText(field.hint)}</p>}
      {isOpen && children}
      {problem && (
        <p data-countersign="field-problem" id={`${id}-problem`}>
          {words.problem(problem)}
        </p>
      )}
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
    </fieldset>
  );
}
