'use client';

import { useId } from 'react';
import { visibleText } from '../../../../client/text/visible-text.ts';
import type { Field } from '../../client/field.ts';
import type { FieldProblem } from '../../client/read-draft.ts';
import type { FieldPlace } from './field-props.ts';
import { type FieldWords, fieldId, useForm } from './form-context.ts';

/** What a field shows beside its control, and the ids that connect them. */
export type FieldFacts = {
  readonly words: FieldWords;
  readonly id: string;
  readonly name: string;
  readonly problem: FieldProblem | undefined;
  readonly hints: readonly string[];
  /** The ids of the problem and the hints. */
  readonly describedBy: string | undefined;
};

/**
 * Collects what a field shows.
 *
 * @param notes further hints
 */
export function useField(field: Field, place: FieldPlace, notes: readonly string[] = []): FieldFacts {
  const { words, problems, id: formId } = useForm();
  const ownId = useId();
  const id = formId === undefined ? ownId : fieldId(formId, place.path);
  const problem = problems.get(place.path);
  const given = field.hint === undefined ? [] : [visibleText(field.hint)];
  const hints = [...given, ...notes, ...(field.isUnchecked ? [words.unchecked] : [])];
  const described = [problem && `${id}-problem`, hints.length > 0 && `${id}-hint`].filter(Boolean).join(' ');
  return {
    ...{ words, id, problem, hints },
    name: nameOf(field, place),
    describedBy: described === '' ? undefined : described,
  };
}

/** A field's name for people. */
export function nameOf(field: Field, place: FieldPlace): string {
  return visibleText(field.title ?? place.name);
}
