'use client';

import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { Sentence } from '../../card/evidence/sentence.tsx';
import type { InboxView } from '../inbox-context.ts';
import { InboxFacts } from './inbox-facts.tsx';

/**
 * What a row shows besides its question. All values keep their identity while equal, so that rows can be
 * memoized.
 */
export type LineProps = {
  readonly question: Question;
  readonly words: InboxView['words'];
  readonly now: number;
  readonly chat: string | undefined;
  /** The difference from rows that look identical. */
  readonly difference: string | undefined;
  readonly isSelected: boolean;
  readonly select: InboxView['select'];
};

/** The line of one question: a box to select it, and a button that shows its card. */
export function InboxLine({
  question,
  words,
  now,
  chat,
  difference,
  isSelected,
  select,
  isOpen,
  cardId,
  buttonId,
  onToggle,
}: LineProps & {
  readonly isOpen: boolean;
  /** The id of the element that the button shows. */
  readonly cardId: string;
  readonly buttonId?: string;
  readonly onToggle: () => void;
}) {
  const description = visibleText(question.description);
  return (
    <div data-countersign="inbox-item-line">
      {question.state === 'open' && (
        <label data-countersign="inbox-check">
          <input
            type="checkbox"
            aria-label={words.select(description)}
            checked={isSelected}
            onChange={(event) => select([question.id], event.target.checked)}
          />
        </label>
      )}
      <button
        type="button"
        id={buttonId}
        data-countersign="inbox-item-toggle"
        aria-expanded={isOpen}
        aria-controls={cardId}
        onClick={onToggle}
      >
        <span data-countersign="inbox-item-sentence">
          <Sentence text={question.description} input={[question.input, question.runsAs]} />
        </span>{' '}
        <InboxFacts question={question} now={now} chat={chat} difference={difference} />
      </button>
    </div>
  );
}
