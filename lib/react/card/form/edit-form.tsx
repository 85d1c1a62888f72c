'use client';

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { formWords } from '../../../client/words/form-words.ts';
import { useApprovalCard } from '../card-context.ts';
import { EditField } from './edit-field.tsx';
import { FormContext, type FormState } from './form-context.ts';
import { FormSummary } from './form-summary.tsx';
import { useShownProblems } from './use-shown-problems.ts';

/**
 * The arguments as a form. The card's shortcuts are off inside it, so the person has to leave the form before
 * they answer.
 */
export function EditForm() {
  const { editing, words: cardWords, card, fieldErrors } = useApprovalCard();
  const words = useMemo(() => ({ ...formWords, ...cardWords }), [cardWords]);
  const { stage, isNeeded } = editing;
  const id = useId();
  const [sought, seek] = useState<FormState['sought']>();
  const form = useRef<HTMLFieldSetElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const problems = useShownProblems(editing, fieldErrors);
  const attempts = stage.type === 'open' ? stage.attempts : 0;
  const takesFocus = stage.type === 'open' && stage.takesFocus;

  useEffect(() => {
    const around = card.current;
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
    // Leaving the form returns the focus to the button that opened it.
    return () => around?.querySelector<HTMLElement>('[data-countersign="card-edit"]')?.focus();
  }, [card, takesFocus]);

  useEffect(() => {
    if (attempts > 0 || fieldErrors !== undefined) summary.current?.focus();
  }, [attempts, fieldErrors]);

  if (stage.type !== 'open') return null;
  const isEmpty = stage.field.type === 'object' && stage.field.properties.length === 0;
  return (
    <fieldset
      ref={form}
      data-countersign="form"
      data-keeps-keys=""
      onKeyDown={(event) => {
        // Escape also ends the composition of a character, and closes the list of a select.
        if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return;
        event.preventDefault();
        if (!isNeeded) editing.close();
      }}
    >
      <legend data-countersign="form-legend">{isNeeded ? words.fillIn : words.editing}</legend>
      <FormContext.Provider value={{ words, problems, id, sought, seek }}>
        <FormSummary field={stage.field} draft={stage.draft} summary={summary} />
        {isEmpty ? (
          <p data-countersign="value-none">{words.nothingToEdit}</p>
        ) : (
          <EditField
            field={stage.field}
            draft={stage.draft}
            place={{ path: '', name: words.whole, isRequired: true }}
            initial={stage.initial}
            onChange={editing.change}
          />
        )}
      </FormContext.Provider>
      {!isNeeded && (
        <button type="button" data-countersign="form-cancel" onClick={editing.close}>
          {words.cancelEdit}
        </button>
      )}
    </fieldset>
  );
}
