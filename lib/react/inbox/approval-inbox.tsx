'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { filterQuestions, type InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import { announce } from '../card/announce.ts';
import type { OnStepUp } from '../card/answer/use-step-up.ts';
import { useInboxWords } from '../words/use-words.ts';
import { InboxBatch } from './inbox-batch.tsx';
import { InboxContext, type InboxView } from './inbox-context.ts';
import { InboxFilters } from './inbox-filters.tsx';
import { InboxItem } from './inbox-item.tsx';
import { InboxList } from './inbox-list.tsx';
import { InboxOthers } from './inbox-others.tsx';
import { InboxRecent } from './inbox-recent.tsx';
import { InboxStatus } from './inbox-status.tsx';
import type { ApprovalInboxState } from './use-approval-inbox.ts';

/** What `ApprovalInbox` takes, and any attribute of its `<section>`. */
export type ApprovalInboxProps = ComponentPropsWithoutRef<'section'> & {
  /** From `useApprovalInbox`. */
  readonly inbox: ApprovalInboxState;
  /** Signs the person in again, where a question needs it: see `ApprovalCard`. */
  readonly onStepUp?: OnStepUp;
  /** The address of a question's chat; `undefined` for a chat that this person may not see. Default: no links. */
  readonly chatHref?: (question: Question) => string | undefined;
};

/**
 * All open questions of a person, with filters, answers and a batch of denials. Has no styles of its own;
 * `countersign/react/styles.css` is one way to style it.
 *
 * Without children it renders all of its parts. Pass children to choose and order them, or to add parts of your own,
 * which read everything from `useInbox`.
 */
function Inbox({ inbox, chatHref = noHref, onStepUp, children, ...rest }: ApprovalInboxProps) {
  const words = useInboxWords();
  const [filter, setFilter] = useState<InboxFilter>({});
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Typing has priority over rendering a long list.
  const applied = useDeferredValue(filter);
  const questions = useMemo(() => filterQuestions(inbox.questions, applied), [inbox.questions, applied]);
  // Questions that are decided or filtered out are not visible, so they leave the selection.
  const selected = useMemo(
    () => new Set(questions.flatMap(({ id, state }) => (state === 'open' && chosen.has(id) ? [id] : []))),
    [questions, chosen],
  );
  const select = useCallback((ids: readonly string[], isSelected: boolean) => {
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids)
        if (isSelected) after.add(id);
        else after.delete(id);
      return after;
    });
  }, []);
  useAnnouncements(inbox);

  const view = useMemo<InboxView>(
    () => ({ inbox, words, questions, filter, setFilter, selected, select, chatHref, onStepUp }),
    [inbox, words, questions, filter, selected, select, chatHref, onStepUp],
  );
  return (
    <InboxContext.Provider value={view}>
      <section
        aria-label={words.list}
        data-countersign="inbox"
        data-state={inbox.status}
        data-connection={inbox.connection}
        {...rest}
      >
        {children ?? (
          <>
            <InboxStatus />
            <InboxFilters />
            <InboxBatch />
            <InboxList />
            <InboxOthers />
            <InboxRecent />
          </>
        )}
      </section>
    </InboxContext.Provider>
  );
}

/** No links to chats. */
function noHref(): undefined {}

/** Announces each new question. Those that were there at first are part of the page. */
function useAnnouncements({ status, questions }: ApprovalInboxState): void {
  const words = useInboxWords();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (status !== 'ready') return;
    const before = known.current;
    known.current = new Set(questions.map(({ id }) => id));
    const fresh = before ? questions.filter(({ id, state }) => state === 'open' && !before.has(id)) : [];
    // A further page of the list, or very many questions at once, are not announced.
    if (fresh.length === 1 && fresh[0]) announce(words.opened(fresh[0]));
  }, [status, questions, words]);
}

/** The inbox, and its parts for a layout of your own. */
export const ApprovalInbox = Object.assign(Inbox, {
  Status: InboxStatus,
  Filters: InboxFilters,
  Batch: InboxBatch,
  List: InboxList,
  Item: InboxItem,
  Others: InboxOthers,
  Recent: InboxRecent,
});
