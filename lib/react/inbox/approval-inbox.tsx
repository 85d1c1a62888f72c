'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { filterQuestions, type InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { ApprovalInboxState } from '../../client/inbox/inbox.ts';
import type { Question } from '../../client/question.ts';
import { announce } from '../card/announce.ts';
import { ErrorBoundary } from '../card/unshown/error-boundary.tsx';
import { useIsHydrated } from '../use-is-hydrated.ts';
import { useLatest } from '../use-latest.ts';
import { useLoaded } from '../use-loaded.ts';
import { useNow } from '../use-now.ts';
import { useInboxWords } from '../words/inbox-words.ts';
import { InboxDetail } from './detail/inbox-detail.tsx';
import { InboxContext, type InboxLinks, type InboxView } from './inbox-context.ts';
import { InboxFilters } from './inbox-filters.tsx';
import { InboxOthers } from './inbox-others.tsx';
import { InboxRecent } from './inbox-recent.tsx';
import { InboxStatus } from './inbox-status.tsx';
import { InboxBatch } from './list/inbox-batch.tsx';
import { InboxList } from './list/inbox-list.tsx';
import { InboxRow } from './list/inbox-row.tsx';
import { loadDifferences } from './load-differences.ts';
import { PlainList } from './plain-requests.tsx';
import { useOpenedQuestion } from './use-opened-question.ts';

/** Props of `ApprovalInbox`, and any attribute of its `<section>`. */
export type ApprovalInboxProps = ComponentPropsWithoutRef<'section'> &
  Partial<InboxLinks> & {
    /** From `useApprovalInbox`. */
    readonly inbox: ApprovalInboxState;
    /** Which questions to show, for example from the page's address (`parseInboxSearch`). Default: kept inside. */
    readonly filter?: InboxFilter;
    /** Called when the person changes the filter. Required for `filter` to change. */
    readonly onFilterChange?: (filter: InboxFilter) => void;
  };

/**
 * All open questions of a person: a list with filters, the chosen question with its answers, and
 * batch answers. Has no styles; `countersign/react/styles.css` is one way to style it.
 *
 * Without children it renders all of its parts. Pass children to choose and order them, or to add your own
 * parts, which read everything from `useInbox`.
 */
export function ApprovalInbox(props: ApprovalInboxProps) {
  const { questions, answer } = props.inbox;
  return (
    <ErrorBoundary
      of={questions}
      fallback={() => <PlainList questions={questions} answer={({ id }, given) => answer(id, given)} />}
    >
      <WholeInbox {...props} />
    </ErrorBoundary>
  );
}

function WholeInbox({
  inbox,
  chatHref = none,
  chatTitle = none,
  questionHref = none,
  repeatHref = none,
  filter: given,
  onFilterChange,
  onStepUp,
  children,
  ...rest
}: ApprovalInboxProps) {
  const words = useInboxWords();
  // Ages and deadlines are shown in minutes.
  const now = useNow(30_000, useIsHydrated() ? Date.now : undefined);
  const [kept, setKept] = useState<InboxFilter>({});
  const filter = given ?? kept;
  const setFilter = useLatest((next: InboxFilter) => {
    if (!given) setKept(next);
    onFilterChange?.(next);
  });
  // Typing has priority over rendering a long list.
  const applied = useDeferredValue(filter);
  const questions = useMemo(
    () => filterQuestions(inbox.questions, applied, now),
    [inbox.questions, applied, now],
  );
  const differences = useDifferences(questions);
  const { selected, select } = useSelection(questions);
  const [isReviewing, setReviewing] = useState(false);
  const id = useId();
  const ids = useMemo(() => ({ detail: `${id}-detail`, row: (row: string) => `${id}-${row}` }), [id]);
  const { opened, isChosen, open } = useOpenedQuestion(inbox, ids);
  useAnnouncements(inbox);

  const view: InboxView = {
    inbox,
    words,
    questions,
    filter,
    setFilter,
    selected,
    select,
    opened,
    open,
    isReviewing,
    setReviewing,
    differences,
    now,
    onStepUp,
    chatHref,
    chatTitle,
    questionHref,
    repeatHref,
    ids,
  };
  return (
    <InboxContext.Provider value={view}>
      <section
        aria-label={words.list}
        data-countersign="inbox"
        data-state={inbox.status}
        data-connection={inbox.connection}
        data-detail={isReviewing || (isChosen && opened) ? 'chosen' : undefined}
        {...rest}
      >
        {children ?? (
          <>
            <InboxStatus />
            <InboxFilters />
            <div data-countersign="inbox-panes">
              <div data-countersign="inbox-pane">
                <InboxBatch />
                <InboxList>{(question) => <InboxRow question={question} />}</InboxList>
                <InboxOthers />
                <InboxRecent />
              </div>
              <InboxDetail />
            </div>
          </>
        )}
      </section>
    </InboxContext.Provider>
  );
}

const noDifferences: ReadonlyMap<string, string> = new Map();

/** How identical rows differ. The code for it is loaded with the page's first list. */
function useDifferences(questions: readonly Question[]): InboxView['differences'] {
  const words = useInboxWords();
  const code = useLoaded(loadDifferences);
  return useMemo(() => code?.differencesBetween(questions, words) ?? noDifferences, [code, questions, words]);
}

/** No links, and no titles. */
function none(): undefined {}

/**
 * Ids of open questions that are shown. A question that was filtered out is not selected again when the
 * filter is removed.
 */
function useSelection(questions: readonly Question[]): Pick<InboxView, 'selected' | 'select'> {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(
    () => new Set(questions.flatMap(({ id, state }) => (state === 'open' && chosen.has(id) ? [id] : []))),
    [questions, chosen],
  );
  if (selected.size < chosen.size) setChosen(selected);
  const select = useCallback((ids: readonly string[], isSelected: boolean) => {
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids)
        if (isSelected) after.add(id);
        else after.delete(id);
      return after;
    });
  }, []);
  return { selected, select };
}

/** Announces each new question. Those that were there at first are part of the page. */
function useAnnouncements({ status, questions }: ApprovalInboxState): void {
  const words = useInboxWords();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (status !== 'ready') return;
    const before = known.current;
    known.current = new Set(questions.map(({ id }) => id));
    const fresh = before ? questions.filter(({ id, state }) => state === 'open' && !before.has(id)) : [];
    // A further page of the list, or very many new questions, are not announced.
    if (fresh.length === 1 && fresh[0]) announce(words.opened(fresh[0]));
  }, [status, questions, words]);
}
