'use client';

import { useEffect, useId } from 'react';
import { changesBetween } from '../../../../client/card/changes.ts';
import { visibleText } from '../../../../client/text/visible-text.ts';
import { useApprovalCard } from '../../../../react/card/card-context.ts';
import { ChangeList } from '../../../../react/card/evidence/change-part.tsx';
import { choicesOf } from './choices.ts';

/** The buttons of the options for which Approve and Deny do not stand. */
export function OptionButtons() {
  const { canApprove, answer, progress, ids, question } = useApprovalCard();
  const others = choicesOf(question).others.filter(({ then }) => then === 'deny' || canApprove);
  return others.map((option) => {
    const { id, label, then, input } = option;
    const runs = input === undefined ? undefined : `${ids.options}-${id}`;
    const isPaused = then === 'approve' && question.paused !== undefined;
    return (
      <button
        key={id}
        type="button"
        data-countersign="card-option"
        data-then={then}
        data-paused={isPaused || undefined}
        aria-disabled={progress !== 'ready' || isPaused}
        aria-describedby={isPaused ? ids.paused : runs}
        onClick={() => answer(then === 'approve', option)}
      >
        <bdi>{visibleText(label)}</bdi>
      </button>
    );
  });
}

/**
 * What the options with arguments of their own would run: a sentence, and the differences from the proposal. Such an option
 * can be chosen only while this is shown.
 */
export function OptionList() {
  const { question, words, canAnswer, ids, optionsShown } = useApprovalCard();
  const id = useId();
  useEffect(() => {
    optionsShown.current = true;
    return () => {
      optionsShown.current = false;
    };
  }, [optionsShown]);
  const changed = question.options?.filter(({ input }) => input !== undefined) ?? [];
  if (!canAnswer || changed.length === 0) return null;
  return (
    <section data-countersign="card-options" aria-labelledby={id}>
      <p id={id} data-countersign="changes-heading">
        {words.options}
      </p>
      {changed.map((option) => (
        <div key={option.id} id={`${ids.options}-${option.id}`} data-countersign="card-option-runs">
          <p>
            <strong>
              <bdi>{visibleText(option.label)}</bdi>
            </strong>
            {': '}
            <bdi>{visibleText(option.description ?? '')}</bdi>
          </p>
          <ChangeList
            changes={changesBetween(question.runsAs ?? question.input, option.runsAs ?? option.input)}
            heading={words.changes}
            words={words}
          />
        </div>
      ))}
    </section>
  );
}
