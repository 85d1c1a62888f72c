'use client';

import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { approvalKeys } from '../../../client/card/approval-keys.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { useCardPlugins } from '../../plugins/card-plugins.tsx';
import { PluginParts } from '../../plugins/plugin-parts.tsx';
import { useApprovalCard } from '../card-context.ts';
import { CardDelivery } from './delivery-part.tsx';
import { CardStepUp } from './step-up-part.tsx';
import { useCommandKey } from './use-command-key.ts';
import { blocksAnswers } from './use-step-up.ts';

/** The two answers and the result of the last one; a note for a person who may not answer. */
export function CardActions({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { question, words, canAnswer, isIncomplete, progress } = useApprovalCard();
  const plugins = useCardPlugins();
  if (question.state !== 'open') return null;
  if (!canAnswer)
    return plugins.some(({ saysWhyNot }) => saysWhyNot?.(question)) ? null : (
      <p data-countersign="card-not-yours">
        {question.whoMayAnswer ? visibleText(question.whoMayAnswer) : words.notYours}
      </p>
    );
  return (
    <>
      {(question.outdated || isIncomplete) && (
        <p data-countersign="card-outdated" role="status">
          {question.outdated ? words.outdated : words.cannotApprove}
        </p>
      )}
      <CardDelivery />
      <CardPaused />
      <CardStepUp />
      <div data-countersign="card-actions" data-progress={progress} {...rest}>
        <CardRefusal />
        {children ?? (
          <>
            <CardDeny />
            <PluginParts at="buttons" question={question} />
            <CardApprove />
          </>
        )}
      </div>
    </>
  );
}

/** The Deny button. Sends the reason. */
export function CardDeny(props: ComponentPropsWithoutRef<'button'>) {
  const { question, words, answer, stepUp, ids, choices } = useApprovalCard();
  return (
    <AnswerButton
      part="card-deny"
      keys={approvalKeys.deny}
      hint="."
      label={
        choices.denial ? visibleText(choices.denial.label) : question.needsValue ? words.decline : words.deny
      }
      onAnswer={() => answer(false)}
      aria-describedby={stepUp.state === 'none' ? undefined : ids.stepUp}
      {...props}
    />
  );
}

/** Why it cannot be approved now. Renders nothing while the tool is not paused. */
export function CardPaused({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words, ids } = useApprovalCard();
  return question.paused ? (
    <p data-countersign="card-paused" id={ids.paused} role="status" {...rest}>
      {children ?? words.paused(visibleText(question.paused.reason))}
    </p>
  ) : null;
}

/**
 * Approves the proposed or the edited arguments, as its label says. Renders nothing for an outdated question: the tool
 * that would run is not the one that the card shows.
 */
export function CardApprove(props: ComponentPropsWithoutRef<'button'>) {
  const { canApprove, answer, editing, ids, isPreviewAwaited, ...state } = useApprovalCard();
  const { primary } = state.choices;
  const hasOwn = primary?.input !== undefined && `${ids.options}-${primary.id}`;
  const isEdited = editing.changes.length > 0;
  const label = useApproveLabel(isEdited);
  const isPaused = state.question.paused !== undefined;
  const isAsked = state.stepUp.state !== 'none';
  const described = [isPaused && ids.paused, isAsked && ids.stepUp, isEdited && ids.changes, hasOwn]
    .filter(Boolean)
    .join(' ');
  if (!canApprove) return null;
  return (
    <AnswerButton
      part="card-approve"
      keys={approvalKeys.approve}
      hint="↵"
      label={label}
      onAnswer={() => answer(true)}
      aria-describedby={described === '' ? undefined : described}
      {...(isPreviewAwaited && { 'aria-disabled': true })}
      {...(isPaused && { 'aria-disabled': true, 'data-paused': true })}
      {...props}
    />
  );
}

/** Why the last answer was refused, and which fields to check. Announced immediately. */
export function CardRefusal({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { words, refusal, editing, ids } = useApprovalCard();
  const hasAttempted = editing.stage.type === 'open' && editing.stage.attempts > 0;
  const count = hasAttempted ? editing.problems : 0;
  const hasWords = refusal !== undefined || count > 0;
  return (
    <div
      data-countersign="card-refusal"
      id={ids.refusal}
      role="alert"
      data-empty={!hasWords || undefined}
      {...rest}
    >
      {hasWords && (children ?? <p>{count > 0 ? words.problems(count) : refusal}</p>)}
    </div>
  );
}

type AnswerButtonProps = ComponentPropsWithoutRef<'button'> & {
  part: string;
  keys: string;
  hint: string;
  label: string;
  onAnswer: () => void;
};

function AnswerButton({ part, keys, hint, label, onAnswer, children, onClick, ...rest }: AnswerButtonProps) {
  const { words, progress, stepUp, delivery } = useApprovalCard();
  const command = useCommandKey();
  const content: ReactNode = children ?? label;
  return (
    <button
      type="button"
      data-countersign={part}
      // Not `disabled`: that would move the focus away from the button.
      aria-disabled={progress !== 'ready' || blocksAnswers(stepUp) || delivery.unsent.state === 'queued'}
      aria-keyshortcuts={keys}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) onAnswer();
      }}
      {...rest}
    >
      {content}
      <span data-countersign="keys" aria-hidden="true">
        {command === 'Ctrl' ? words.controlKey : command} {hint}
      </span>
    </button>
  );
}

function useApproveLabel(isEdited: boolean): string {
  const { question, words, added, choices } = useApprovalCard();
  const labels = useCardPlugins().map(({ approveLabel }) => approveLabel?.(added, isEdited));
  const label = labels.find((each) => each !== undefined);
  if (label !== undefined) return label;
  if (choices.primary && !isEdited) return visibleText(choices.primary.label);
  if (question.needsValue) return words.sendValue;
  return isEdited ? words.approveEdited : words.approve;
}
