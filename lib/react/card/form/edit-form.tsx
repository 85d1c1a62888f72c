'use client';

import { useEffect, useRef } from 'react';
import { useApprovalCard } from '../card-context.ts';
import { EditField } from './edit-field.tsx';
import { FormContext } from './form-context.ts';

/**
 * The arguments as a form. The card's shortcuts are off inside it: the person has to leave the form before they answer.
 */
export function EditForm() {
  const { editing, words, card } = useApprovalCard();
  const { stage, problems } = editing;
  const form = useRef<HTMLFieldSetElement>(null);
  const attempts = stage.type === 'open' ? stage.attempts : 0;

  useEffect(() => {
    const around = card.current;
    form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
    // Leaving the form returns the focus to the button that opened it.
    return () => around?.querySelector<HTMLElement>('[data-countersign="card-edit"]')?.focus();
  }, [card]);

  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);

  if (stage.type !== 'open') return null;
  const isEmpty = stage.field.type === 'object' && stage.field.properties.length === 0;
  return (
    <fieldset ref={form} data-countersign="form" data-keeps-keys="">
      <legend data-countersign="form-legend">{words.editing}</legend>
      <FormContext.Provider value={{ words, problems: attempts > 0 ? problems : noProblems }}>
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
      <button type="button" data-countersign="form-cancel" onClick={editing.close}>
        {words.cancelEdit}
      </button>
    </fieldset>
  );
}

const noProblems = new Map<never, never>();
