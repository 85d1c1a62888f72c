'use client';

import { useEffect, useRef, useState } from 'react';
import type { AnswerResult } from '../../../client/inbox/answer-result.ts';
import type { NewAnswer, Question } from '../../../client/question.ts';
import { announce } from '../../card/announce.ts';
import { useInbox } from '../inbox-context.ts';
import { type Choice, ReviewedQuestion } from './reviewed-question.tsx';

/**
 * The selected questions in a column, each with its evidence and its own answer. They are sent together, as
 * one answer for each question.
 */
export function InboxReview() {
  const { inbox, words, questions, selected, setReviewing } = useInbox();
  const reviewed = questions.filter(({ id }) => selected.has(id));
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState('');
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const answers = answersFor(reviewed, choices);
  const missing = reviewed.length - answers.size;
  const submit = async () => {
    if (isBusy || missing > 0) return;
    setBusy(true);
    const result = await inbox.answerAll(answers);
    const outcome = words.batchDone(result);
    setBusy(false);
    setRefusals(
      new Map(
        result.failed.flatMap(({ id, result }) => (isRefusal(result) ? [[id, words.refusal(result)]] : [])),
      ),
    );
    setNotice(outcome);
    announce(outcome);
    heading.current?.focus();
  };

  return (
    <form
      data-countersign="inbox-review"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {notice || words.reviewing(reviewed.length)}
      </h2>
      {notice === '' && <p>{words.reviewHint}</p>}
      <ol data-countersign="inbox-review-list">
        {reviewed.map((question) => (
          <ReviewedQuestion
            key={question.id}
            question={question}
            refusal={refusals.get(question.id)}
            choice={choices.get(question.id) ?? { reason: '' }}
            onChoose={(choice) => setChoices((before) => new Map(before).set(question.id, choice))}
          />
        ))}
      </ol>
      <div data-countersign="inbox-review-end">
        {missing > 0 && <p>{words.missing(missing)}</p>}
        <button
          type="button"
          data-countersign="inbox-button"
          data-kind="quiet"
          onClick={() => setReviewing(false)}
        >
          {words.back}
        </button>
        {reviewed.length > 0 && (
          <button
            type="submit"
            data-countersign="inbox-button"
            data-kind="submit"
            aria-disabled={isBusy || missing > 0}
          >
            {isBusy ? words.submitting : words.submit(reviewed.length)}
          </button>
        )}
      </div>
    </form>
  );
}

function isRefusal(
  result: AnswerResult,
): result is Extract<AnswerResult, { type: 'refused' | 'unreachable' }> {
  return result.type === 'refused' || result.type === 'unreachable';
}

/** The answers that were chosen. */
function answersFor(
  questions: readonly Question[],
  choices: ReadonlyMap<string, Choice>,
): ReadonlyMap<string, NewAnswer> {
  const entries = questions.flatMap(({ id, preview }): [string, NewAnswer][] => {
    const { approved, reason = '' } = choices.get(id) ?? {};
    if (approved === undefined) return [];
    const shown = approved && preview?.state === 'made' ? { previewDigest: preview.digest } : {};
    return [[id, { approved, reason: reason.trim() !== '' ? reason.trim() : undefined, ...shown }]];
  });
  return new Map(entries);
}
