'use client';

import { type ReactNode, useId } from 'react';
import type { Field } from '../../../client/form/field.ts';
import { visibleText } from '../../../client/visible-text.ts';
import type { FieldPlace } from './field-props.ts';
import { useForm } from './form-context.ts';

/** Attributes that connect a control to its label, hint and problem. */
export type ControlProps = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-required': boolean | undefined;
};

/** A label, a control, a hint and what is wrong. */
export function FieldFrame({
  field,
  place,
  children,
}: {
  field: Field;
  place: FieldPlace;
  children: (control: ControlProps) => ReactNode;
}) {
  const { words, problems } = useForm();
  const id = useId();
  const problem = problems.get(place.path);
  const hint = field.hint;
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div data-countersign="field" data-type={field.type} data-invalid={problem ? true : undefined}>
      <label data-countersign="field-label" htmlFor={id}>
        {nameOf(field, place)}
        {!place.isRequired && <span data-countersign="field-optional"> {words.optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': problem ? true : undefined,
        'aria-required': place.isRequired || undefined,
      })}
      {problem && (
        <p data-countersign="field-problem" id={`${id}-problem`}>
          {words.problem(problem)}
        </p>
      )}
      {hint && (
        <p data-countersign="field-hint" id={`${id}-hint`}>
          {visibleText(hint)}
        </p>
      )}
    </div>
  );
}

/** A field's name for people. */
export function nameOf(field: Field, place: FieldPlace): string {
  return visibleText(field.title ?? place.name);
}
