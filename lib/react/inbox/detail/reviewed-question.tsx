'use client';

import { useId } from 'react';
import { type NewAnswer, needsForm, type Question } from '../../../client/question.ts';
import { isPlainApproval } from '../../../protocol/approval/plain-approval.ts';
import { CardFrame } from '../../card/card-frame.tsx';
import { CardArguments } from '../../card/evidence/argument-parts.tsx';
import { CardEarlier } from '../../card/evidence/earlier-part.tsx';
import { CardEffect } from '../../card/evidence/effect-part.tsx';
import { CardHistory } from '../../card/evidence/history-part.tsx';
import { QuestionContext } from '../../card/evidence/question-context.tsx';
import { CardRepeat } from '../../card/evidence/repeat-part.tsx';
import {
  CardAsker,
  CardDeadline,
  CardDescription,
  CardRisk,
  CardWaiting,
} from '../../card/heading-parts.tsx';
import { usePluginAnswers } from '../../plugins/use-plugin-answers.ts';
import { useCardWords } from '../../words/card-words.ts';
import { useInbox } from '../inbox-context.ts';

/** The answer that was selected for one question of a review. */
export type Choice = { readonly approved?: boolean; readonly reason: string };

const reasonLength = 2000;

/** One question of a review: its evidence, and the choice between the two answers. */
export function ReviewedQuestion({
  question,
  refusal,
  choice,
  onChoose,
}: {
  question: Question;
  /** Why its answer was not accepted. */
  refusal: string | undefined;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}) {
  const { words, repeatHref } = useInbox();
  const card = useCardWords();
  const name = useId();
  const { isIncomplete } = usePluginAnswers(question);
  const { outdated, paused, stepUp, options } = question;
  const needsMore = isIncomplete || needsForm(question) || (options && !options.some(isPlainApproval));
  const refusesApproval = Boolean(outdated || paused || stepUp?.needed || needsMore);
  const answers = [
    { approved: true, label: card.approve, isDisabled: refusesApproval },
    { approved: false, label: card.deny, isDisabled: false },
  ];
  const choose = ({ approved }: Pick<NewAnswer, 'approved'>) => onChoose({ ...choice, approved });
  return (
    // The keys of a single card would answer it immediately.
    <li data-countersign="inbox-reviewed" data-keeps-keys="">
      <QuestionContext question={question} />
      <CardFrame
        question={{ ...question, mayEdit: false }}
        onAnswer={choose}
        repeatHref={repeatHref}
        attention="none"
      >
        <header data-countersign="card-header">
          <CardRisk />
          <CardDescription level={3} />
          <CardAsker />
          <CardWaiting />
          <CardDeadline />
          <CardHistory />
          <CardRepeat />
          <CardEarlier />
        </header>
        <CardArguments />
        <CardEffect />
      </CardFrame>
      <fieldset data-countersign="inbox-choices" aria-label={words.answerTo(question.description)}>
        {answers.map(({ approved, label, isDisabled }) => (
          <label key={label} data-countersign="inbox-check">
            <input
              type="radio"
              name={name}
              checked={choice.approved === approved}
              disabled={isDisabled}
              onChange={() => choose({ approved })}
            />
            <span>{label}</span>
          </label>
        ))}
        {refusal !== undefined && <p role="alert">{refusal}</p>}
        {refusesApproval && <p>{isIncomplete ? card.cannotApprove : words.approveAlone}</p>}
        {choice.approved === false && (
          <input
            type="text"
            data-countersign="field-control"
            aria-label={words.batchReason}
            placeholder={`${words.batchReason} ${words.batchReasonHint}`}
            maxLength={reasonLength}
            value={choice.reason}
            onChange={(event) => onChoose({ ...choice, reason: event.target.value })}
          />
        )}
      </fieldset>
    </li>
  );
}
