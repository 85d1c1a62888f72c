'use client';

import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useRef } from 'react';
import { answerOfKey } from '../../client/card/approval-keys.ts';
import type { Question } from '../../client/question.ts';
import { answererName } from '../../client/text/answerer-name.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import { usePersonName } from '../person/person.tsx';
import { useLatest } from '../use-latest.ts';
import { announce } from './announce.ts';
import { ApprovalCardContext } from './card-context.ts';
import { useClearOfAnswers } from './focus/use-clear-of-answers.ts';
import { useHandOver } from './focus/use-hand-over.ts';
import { type Attention, useQuestionFocus } from './focus/use-question-focus.ts';
import { QuestionBoundary } from './unshown/question-boundary.tsx';
import { type CardSettings, useCardState } from './use-card-state.ts';

/** Props of `CardFrame`. Other attributes are passed to its element. */
export type CardFrameProps<Input = unknown> = CardSettings<Input> &
  Omit<ComponentPropsWithoutRef<'section'>, 'children'> & {
    /** How a new question gets attention; `none` for a page with several cards. Default: `focus`. */
    readonly attention?: Attention;
    /** The parts in your order, with your own parts if you like; a function gets the typed question. */
    readonly children: ReactNode | ((question: Question<Input>) => ReactNode);
  };

/**
 * The card of a question, with the parts that you put into it (`CardDescription`, `CardArguments`, `CardActions`, and so on). Guards
 * against accidental answers, and works by keyboard.
 *
 * Has no styles: `data-countersign` names each part; `data-state`, `data-risk` and `data-progress` are its
 * state. `countersign/react/styles.css` is one way to style it.
 *
 * @template Input the tool's arguments, when you know them; the server checks edited ones
 * @source H9, H10, H13
 */
export function CardFrame<Input = unknown>({ children, ...props }: CardFrameProps<Input>) {
  const { question, onAnswer } = props;
  const content = typeof children === 'function' ? <Drawn draw={() => children(question)} /> : children;
  return (
    <QuestionBoundary key={question.id} question={question} onAnswer={onAnswer}>
      <OneQuestion {...props}>{content}</OneQuestion>
    </QuestionBoundary>
  );
}

/** Content of the page's author, inside of the boundary. */
function Drawn({ draw }: { draw: () => ReactNode }) {
  return draw();
}

function OneQuestion({
  question,
  onAnswer,
  onStepUp,
  failure,
  initialAnswer,
  attention = 'focus',
  loadPreview,
  repeatHref,
  children,
  onKeyDown,
  ...rest
}: Omit<CardFrameProps, 'children'> & { children: ReactNode }) {
  const sources = { loadPreview, repeatHref };
  const state = useCardState({ question, onAnswer, onStepUp, failure, initialAnswer, ...sources });
  const { card, words } = state;
  useQuestionFocus(card, visibleText(words.spoken(question)), attention);
  useSettlementFocus(state);
  useHandOver(card, question.toolCallId);
  useClearOfAnswers(card);

  return (
    <ApprovalCardContext.Provider value={state}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; this groups a question */}
      <section
        ref={card}
        role="group"
        aria-labelledby={state.ids.heading}
        aria-describedby={describing(question, state.ids)}
        tabIndex={-1}
        data-countersign="card"
        data-state={question.state}
        data-risk={question.risk}
        data-tool={question.toolName}
        data-question={question.id}
        {...rest}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          const answer = answerOfKey(event.nativeEvent);
          if (answer === undefined || !state.canAnswer || event.defaultPrevented || keepsKeys(event.target))
            return;
          event.preventDefault();
          state.answer(answer === 'approve');
        }}
      >
        {children}
      </section>
    </ApprovalCardContext.Provider>
  );
}

/** The ids of the elements that describe the card, if they are shown. */
function describing(
  { repeatOf, earlier, state }: Question,
  ids: ReturnType<typeof useCardState>['ids'],
): string | undefined {
  const shown = [repeatOf && ids.repeat, earlier && ids.earlier, state !== 'open' && ids.settled].filter(
    Boolean,
  );
  return shown.length > 0 ? shown.join(' ') : undefined;
}

/** Whether shortcuts are off in this element, because the person is editing there. */
function keepsKeys(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-keeps-keys]') !== null;
}

/**
 * When a question is settled, its buttons disappear, and focus on one of them moves to the card. An outcome
 * from elsewhere is announced once.
 */
function useSettlementFocus({ question, words, card, progress }: ReturnType<typeof useCardState>): void {
  const nameOf = useLatest(usePersonName());
  const before = useRef(question.state);
  useEffect(() => {
    if (before.current === question.state) return;
    before.current = question.state;
    if (question.state === 'open') return;
    if (progress !== 'sending' && progress !== 'sent') {
      const { state, answer, title } = question;
      const outcome = `${title}: ${words.settled({ state, answer })}`;
      announce(visibleText(answer ? `${outcome} ${words.by(answererName(answer, nameOf, words))}` : outcome));
    }
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [question, words, card, progress, nameOf]);
}
