'use client';

import type { ComponentPropsWithoutRef } from 'react';
import type { Question } from '../../../client/question.ts';
import { useInbox } from '../inbox-context.ts';
import { InboxLine } from './inbox-line.tsx';

/** Props of `InboxRow`, and any attribute of its `<article>`. */
export type InboxRowProps = ComponentPropsWithoutRef<'article'> & { readonly question: Question };

/** One question as a row; its button shows the question in `InboxDetail`. */
export function InboxRow({ question, ...rest }: InboxRowProps) {
  const { opened, open, ids } = useInbox();
  const { id, state } = question;
  const isOpen = opened?.id === id;
  return (
    <article data-countersign="inbox-item" data-kind="row" data-state={state} data-open={isOpen} {...rest}>
      <InboxLine
        question={question}
        isOpen={isOpen}
        cardId={ids.detail}
        buttonId={ids.row(id)}
        onToggle={open}
      />
    </article>
  );
}
