'use client';

import type { ReactNode } from 'react';
import type { Field } from '../../client/field.ts';
import type { FieldPlace } from './field-props.ts';
import { useForm } from './form-context.ts';
import { type FieldFacts, useField } from './use-field.ts';

/** Attributes that connect a control to its label, hint and problem. */
export type ControlProps = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-required': boolean | undefined;
};

/**
 * A label, a control, the problem and hints.
 *
 * @param notes further hints
 * @param below content after the hints
 */
export function FieldFrame({
  field,
  place,
  notes,
  below,
  children,
}: {
  field: Field;
  place: FieldPlace;
  notes?: readonly string[];
  below?: ReactNode;
  children: (control: ControlProps) => ReactNode;
}) {
  const facts = useField(field, place, notes);
  const { id, name, problem, describedBy } = facts;
  return (
    <div data-countersign="field" data-type={field.type} data-invalid={problem ? true : undefined}>
      <label data-countersign="field-label" htmlFor={id}>
        <span>{name}</span>
        <Optional place={place} />
      </label>
      {children({
        id,
        'aria-describedby': describedBy,
        'aria-invalid': problem ? true : undefined,
        'aria-required': place.isRequired || undefined,
      })}
      <FieldNotes {...facts} />
      {below}
    </div>
  );
}

/** Marks an optional field. */
export function Optional({ place }: { place: FieldPlace }) {
  const { words } = useForm();
  return place.isRequired ? null : <span data-countersign="field-optional"> {words.optional}</span>;
}

/** The problem of a field, and its hints. */
export function FieldNotes({ id, words, problem, hints }: Omit<FieldFacts, 'name' | 'describedBy'>) {
  return (
    <>
      {problem && (
        <p data-countersign="field-problem" id={`${id}-problem`}>
          {words.problem(problem)}
        </p>
      )}
      {hints.length > 0 && (
        <div id={`${id}-hint`}>
          {hints.map((hint) => (
            <p key={hint} data-countersign="field-hint">
              {hint}
            </p>
          ))}
        </div>
      )}
    </>
  );
}
