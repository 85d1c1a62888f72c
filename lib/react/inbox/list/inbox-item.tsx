'use client';

import { type ComponentPropsWithoutRef, useCallback, useId, useState } from 'react';
import type { Question } from '../../../client/question.ts';
import { InboxCard } from '../inbox-card.tsx';
import { InboxLine } from './inbox-line.tsx';

/** Props of `InboxItem`, and any attribute of its `<article>`. */
export type InboxItemProps = ComponentPropsWithoutRef<'article'> & {
  readonly question: Question;
  /** Whether its card is shown from the start. */
  readonly isOpenAtFirst?: boolean;
};

/** One question as a row with a button that shows its card below, for single-column layouts. */
export function InboxItem({ question, isOpenAtFirst = false, children, ...rest }: InboxItemProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const toggle = useCallback(() => setOpen((wasOpen) => !wasOpen), []);
  const cardId = useId();
  return (
    <article data-countersign="inbox-item" data-state={question.state} data-open={isOpen} {...rest}>
      <InboxLine question={question} isOpen={isOpen} cardId={cardId} onToggle={toggle} />
      <div id={cardId} data-countersign="inbox-item-card" hidden={!isOpen}>
        {isOpen && <InboxCard question={question}>{children}</InboxCard>}
      </div>
    </article>
  );
}
