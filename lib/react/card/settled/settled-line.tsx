'use client';

import type { KnownAnswer } from '../../../client/chat/live/known-answers.ts';
import { answererName } from '../../../client/text/answerer-name.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useCardWords } from '../../words/card-words.ts';
import { Glyph } from '../glyph.tsx';
import { Moment } from '../moment.tsx';
import { Seal } from '../seal.tsx';

/**
 * One line: the outcome, by whom, when, and why. `data-fresh` marks a question that was just answered here.
 *
 * @param outcome in words; without `answer`, nothing else is shown
 * @param reason if only the message contains it
 */
export function SettledLine({
  isApproved,
  outcome,
  answer,
  reason = answer?.reason,
}: {
  isApproved: boolean;
  outcome: string;
  answer?: KnownAnswer;
  reason?: string;
}) {
  const words = useCardWords();
  const nameOf = usePersonName();
  const source = answer?.via === undefined ? undefined : words.via(answer.via);
  return (
    <span
      data-countersign="settled-line"
      data-approved={isApproved}
      data-fresh={(answer && (answer.isFresh || answer.by === undefined)) || undefined}
    >
      {isApproved ? <Seal size={18} tone="stamp" /> : <Glyph name="cross" size={16} />}
      <span>
        <span>{outcome}</span>
        {answer && (
          <>
            {' '}
            <span>{words.by(answererName(answer, nameOf, words))},</span> <Moment at={answer.at} />
            {source !== undefined && <span>{`, ${source}`}</span>}
          </>
        )}
        {reason !== undefined && reason !== '' && (
          <span>
            : <q data-countersign="settled-reason">{visibleText(reason)}</q>
          </span>
        )}
      </span>
    </span>
  );
}
