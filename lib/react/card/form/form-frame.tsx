'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { useApprovalCard } from '../card-context.ts';

/**
 * A form in the place of the arguments, with the button that leaves it. The card's shortcuts are off inside it, so the person
 * has to leave the form before they answer.
 */
export function FormFrame({ legend, children }: { legend: string; children: ReactNode }) {
  const { editing, words, card } = useApprovalCard();
  const { stage, isNeeded } = editing;
  const form = useRef<HTMLFieldSetElement>(null);
  const takesFocus = stage.type === 'open' && stage.takesFocus;
  useEffect(() => {
    const around = card.current;
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
    // Leaving the form returns the focus to the button that opened it.
    return () => around?.querySelector<HTMLElement>('[data-countersign="card-edit"]')?.focus();
  }, [card, takesFocus]);
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
      <legend data-countersign="form-legend">{legend}</legend>
      {children}
      {!isNeeded && (
        <button type="button" data-countersign="form-cancel" onClick={editing.close}>
          {words.cancelEdit}
        </button>
      )}
    </fieldset>
  );
}
