'use client';

import { type FormEvent, useId, useState } from 'react';
import type { OutcomeToRecord } from '../../../client/calls/post-outcome.ts';
import { refusalText } from '../../../client/text/refusal-text.ts';
import { useToolWords } from '../../words/card-words.ts';
import { announce } from '../announce.ts';

const longestNote = 2000;

const choices = ['completed', 'not-run'] as const;

/**
 * Asks for the outcome of a call whose outcome is unknown. Nothing is preselected: neither answer is more likely.
 *
 * @param onResolve refuses by throwing or rejecting; its message is shown, and the form stays
 */
export function OutcomeForm({ onResolve }: { onResolve: (outcome: OutcomeToRecord) => unknown }) {
  const words = useToolWords();
  const id = useId();
  const [outcome, setOutcome] = useState<OutcomeToRecord['outcome']>();
  const [note, setNote] = useState('');
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (outcome === undefined || isSending) return;
    const form = event.currentTarget;
    const summary = form.closest('details')?.querySelector('summary');
    const place = summary ?? form.closest<HTMLElement>('[tabindex]');
    setSending(true);
    setRefusal(undefined);
    try {
      await onResolve({ outcome, note: note.trim() !== '' ? note.trim() : undefined });
      announce(words.outcomeRecorded);
      // The form leaves with its question. The focus stays with the call, or with what surrounds the form.
      if (document.activeElement === document.body || form.contains(document.activeElement)) place?.focus();
    } catch (error) {
      setRefusal(refusalText(error) || words.outcomeRefused);
    } finally {
      setSending(false);
    }
  }

  return (
    <form data-countersign="outcome-form" aria-busy={isSending} onSubmit={(event) => void send(event)}>
      <p id={`${id}-hint`} data-countersign="outcome-hint">
        {words.outcomeHint}
      </p>
      <fieldset aria-describedby={`${id}-hint`}>
        <legend>{words.outcomeQuestion}</legend>
        {choices.map((choice) => (
          <label key={choice} data-countersign="outcome-choice">
            <input
              type="radio"
              name={id}
              value={choice}
              required
              checked={outcome === choice}
              onChange={() => setOutcome(choice)}
            />
            {words.outcomeChoice[choice]}
          </label>
        ))}
      </fieldset>
      <label htmlFor={`${id}-note`} data-countersign="outcome-note">
        {words.outcomeNote} <span data-countersign="field-optional">{words.outcomeNoteHint}</span>
      </label>
      <textarea
        id={`${id}-note`}
        data-countersign="field-control"
        rows={2}
        maxLength={longestNote}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <p role="alert" data-countersign="outcome-refusal">
        {refusal}
      </p>
      <button type="submit" data-countersign="outcome-save" aria-disabled={isSending}>
        {isSending ? words.outcomeSaving : words.outcomeSave}
      </button>
    </form>
  );
}
