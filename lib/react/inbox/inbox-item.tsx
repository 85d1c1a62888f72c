'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { memo, useId, useState } from 'react';
import type { Decision, Question } from '../../client/question.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { visibleText } from '../card/evidence/visible-text.ts';
import { type InboxView, useInbox } from './inbox-context.ts';
import { InboxFacts } from './inbox-facts.tsx';

/** What `InboxItem` takes, and any attribute of its `<article>`. */
export type InboxItemProps = ComponentPropsWithoutRef<'article'> & {
  readonly question: Question;
  /** Whether its card is shown from the start. */
  readonly isOpenAtFirst?: boolean;
};

/** One question: its sentence, who asks and when; its card behind a button. Once settled, how, by whom and when. */
export function InboxItem(props: InboxItemProps) {
  const { inbox, words, selected, select, chatHref, onStepUp } = useInbox();
  const { question } = props;
  return (
    <Item
      {...props}
      words={words}
      isSelected={selected.has(question.id)}
      select={select}
      decide={inbox.decide}
      onStepUp={onStepUp}
      href={chatHref(question)}
    />
  );
}

/** Drawn anew only when something of its own has changed: with a thousand rows, not all of them at each event. */
const Item = memo(function Item({
  question,
  isOpenAtFirst = false,
  words,
  isSelected,
  select,
  decide: give,
  onStepUp,
  href,
  children,
  ...rest
}: InboxItemProps & Pick<InboxView, 'words' | 'select'> & ItemState) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const cardId = useId();
  const { id, description, state } = question;
  const isSettled = state !== 'open';

  const decide = async (decision: Decision) => {
    const result = await give(id, decision);
    // A card shows what is thrown at it; a question that was settled first says so by itself.
    if (result.type === 'refused' || result.type === 'unreachable') throw new Error(words.refusal(result));
  };

  return (
    <article data-countersign="inbox-item" data-state={state} data-open={isOpen} {...rest}>
      <div data-countersign="inbox-item-line">
        {!isSettled && (
          <label data-countersign="inbox-check">
            <input
              type="checkbox"
              aria-label={words.select(visibleText(description))}
              checked={isSelected}
              onChange={(event) => select([id], event.target.checked)}
            />
          </label>
        )}
        <button
          type="button"
          data-countersign="inbox-item-toggle"
          aria-expanded={isOpen}
          aria-controls={cardId}
          onClick={() => setOpen(!isOpen)}
        >
          <span data-countersign="inbox-item-sentence">{visibleText(description)}</span>
          <InboxFacts question={question} />
        </button>
      </div>
      <div id={cardId} data-countersign="inbox-item-card" hidden={!isOpen}>
        {isOpen &&
          (children ?? (
            <ApprovalCard question={question} onDecide={decide} onStepUp={onStepUp} attention="none" />
          ))}
        {isOpen && href !== undefined && (
          <a data-countersign="inbox-item-chat" href={href}>
            {words.openChat}
          </a>
        )}
      </div>
    </article>
  );
});

type ItemState = {
  readonly isSelected: boolean;
  readonly decide: InboxView['inbox']['decide'];
  readonly onStepUp: InboxView['onStepUp'];
  readonly href: string | undefined;
};
