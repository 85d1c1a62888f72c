'use client';

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { FilledForm } from '../../../../react/card/answer/editing.ts';
import { useApprovalCard } from '../../../../react/card/card-context.ts';
import { FormFrame } from '../../../../react/card/form/form-frame.tsx';
import type { Field } from '../../client/field.ts';
import type { Draft } from '../../client/field-draft.ts';
import type { FormWords } from '../../client/form-words.ts';
import type { Reading } from '../../client/read-draft.ts';
import { EditField } from './edit-field.tsx';
import { FormContext, type FormState } from './form-context.ts';
import { FormSummary } from './form-summary.tsx';
import { useShownProblems } from './use-shown-problems.ts';

/** A form and what it reads as. `initial` is the draft of the proposal. */
export type EditFormProps = Reading & {
  readonly field: Field;
  readonly initial: Draft;
  readonly draft: Draft;
  readonly words: FormWords;
  /** The form with another draft. */
  readonly next: (draft: Draft) => FilledForm;
};

/** The fields of a form, and a summary of their problems. */
export function EditForm({ words: own, next, ...form }: EditFormProps) {
  const { field, initial, draft } = form;
  const { editing, words: cardWords, fieldErrors } = useApprovalCard();
  const words = useMemo(() => ({ ...cardWords, ...own }), [cardWords, own]);
  const { stage, isNeeded, change } = editing;
  const id = useId();
  const [sought, seek] = useState<FormState['sought']>();
  const summary = useRef<HTMLDivElement>(null);
  const attempts = stage.type === 'open' ? stage.attempts : 0;
  const problems = useShownProblems(form, attempts > 0, fieldErrors);

  useEffect(() => {
    if (attempts > 0 || fieldErrors !== undefined) summary.current?.focus();
  }, [attempts, fieldErrors]);

  const isEmpty = field.type === 'object' && field.properties.length === 0;
  return (
    <FormFrame legend={isNeeded ? words.fillIn : words.editing}>
      <FormContext.Provider value={{ words, problems, id, sought, seek }}>
        <FormSummary field={field} draft={draft} summary={summary} />
        {isEmpty ? (
          <p data-countersign="value-none">{words.nothingToEdit}</p>
        ) : (
          <EditField
            field={field}
            draft={draft}
            place={{ path: '', name: words.whole, isRequired: true }}
            initial={initial}
            onChange={(changed) => change(next(changed))}
          />
        )}
      </FormContext.Provider>
    </FormFrame>
  );
}
