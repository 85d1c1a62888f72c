'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { memo, useId, useState } from 'react';
import type { Question } from '../../../client/question.ts';
import { InboxCard } from '../inbox-card.tsx';
import { useInbox } from '../inbox-context.ts';
import { InboxLine, type LineProps } from './inbox-line.tsx';

/** Props of `InboxItem`, and any attribute of its `<article>`. */
export type InboxItemProps = ComponentPropsWithoutRef<'article'> & {
  readonly question: Question;
  /** Whether its card is shown from the start. */
  readonly isOpenAtFirst?: boolean;
};

/** One question as a row with a button that shows its card below, for single-column layouts. */
export function InboxItem(props: InboxItemProps) {
  const { words, now, selected, select, chatTitle, differences } = useInbox();
  const { question } = props;
  return (
    <Item
      {...props}
      words={words}
      now={now}
      chat={chatTitle(question)}
      difference={differences.get(question.id)}
      isSelected={selected.has(question.id)}
      select={select}
    />
  );
}

/** Renders only when its own props change, so that an event does not render a thousand rows. */
const Item = memo(function Item({
  question,
  isOpenAtFirst = false,
  words,
  now,
  chat,
  difference,
  isSelected,
  select,
  children,
  ...rest
}: InboxItemProps & LineProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const cardId = useId();
  return (
    <article data-countersign="inbox-item" data-state={question.state} data-open={isOpen} {...rest}>
      <InboxLine
        question={question}
        words={words}
        now={now}
        chat={chat}
        difference={difference}
        isSelected={isSelected}
        select={select}
        isOpen={isOpen}
        cardId={cardId}
        onToggle={() => setOpen(!isOpen)}
      />
      <div id={cardId} data-countersign="inbox-item-card" hidden={!isOpen}>
        {isOpen && <InboxCard question={question}>{children}</InboxCard>}
      </div>
    </article>
  );
});
