'use client';

import { type ComponentPropsWithoutRef, memo } from 'react';
import type { Question } from '../../../client/question.ts';
import { useInbox } from '../inbox-context.ts';
import { InboxLine, type LineProps } from './inbox-line.tsx';

/** Props of `InboxRow`, and any attribute of its `<article>`. */
export type InboxRowProps = ComponentPropsWithoutRef<'article'> & { readonly question: Question };

/** One question as a row; its button shows the question in `InboxDetail`. */
export function InboxRow(props: InboxRowProps) {
  const { words, now, selected, select, opened, open, chatTitle, differences, ids } = useInbox();
  const { question } = props;
  return (
    <Row
      {...props}
      words={words}
      now={now}
      chat={chatTitle(question)}
      difference={differences.get(question.id)}
      isSelected={selected.has(question.id)}
      select={select}
      isOpen={opened?.id === question.id}
      open={open}
      cardId={ids.detail}
      buttonId={ids.row(question.id)}
    />
  );
}

/** Renders only when its own props change, so that an event does not render a thousand rows. */
const Row = memo(function Row({
  question,
  words,
  now,
  chat,
  difference,
  isSelected,
  select,
  isOpen,
  open,
  cardId,
  buttonId,
  ...rest
}: InboxRowProps & LineProps & RowState) {
  return (
    <article
      data-countersign="inbox-item"
      data-kind="row"
      data-state={question.state}
      data-open={isOpen}
      {...rest}
    >
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
        buttonId={buttonId}
        onToggle={() => open(question.id)}
      />
    </article>
  );
});

type RowState = {
  readonly isOpen: boolean;
  readonly open: (id: string) => void;
  readonly cardId: string;
  readonly buttonId: string;
};
