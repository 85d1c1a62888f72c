'use client';

import { memo } from 'react';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { Sentence } from '../../card/evidence/sentence.tsx';
import { type InboxView, useInbox } from '../inbox-context.ts';
import { InboxFacts } from './inbox-facts.tsx';

type LineProps = {
  readonly question: Question;
  readonly isOpen: boolean;
  /** The id of the element that the button shows. */
  readonly cardId: string;
  readonly buttonId?: string;
  /** Must be the same function each time. */
  readonly onToggle: (id: string) => void;
};

/** The line of one question: a box to select it, and a button that shows its card. */
export function InboxLine(props: LineProps) {
  const { words, now, selected, select, chatTitle, differences } = useInbox();
  const { question } = props;
  const { id } = question;
  return (
    <Line
      {...props}
      {...{ words, now, select }}
      chat={chatTitle(question)}
      difference={differences.get(id)}
      isSelected={selected.has(id)}
    />
  );
}

/** Renders only when its own props change, so that an event does not render a thousand lines. */
const Line = memo(function Line({
  question,
  isOpen,
  cardId,
  buttonId,
  onToggle,
  words,
  now,
  select,
  chat,
  difference,
  isSelected,
}: LineProps &
  Pick<InboxView, 'words' | 'now' | 'select'> & {
    readonly chat: string | undefined;
    /** The difference from rows that look identical. */
    readonly difference: string | undefined;
    readonly isSelected: boolean;
  }) {
  return (
    <div data-countersign="inbox-item-line">
      {question.state === 'open' && (
        <label data-countersign="inbox-check">
          <input
            type="checkbox"
            aria-label={words.select(visibleText(question.description))}
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
        onClick={() => onToggle(question.id)}
      >
        <span data-countersign="inbox-item-sentence">
          <Sentence text={question.description} input={[question.input, question.runsAs]} />
        </span>{' '}
        <InboxFacts question={question} now={now} chat={chat} difference={difference} />
      </button>
    </div>
  );
});
