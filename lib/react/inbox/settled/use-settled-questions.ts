'use client';

import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { type ApprovalsApi, defaultApprovalsApi } from '../../../client/inbox/approvals-api.ts';
import type { InboxFilter } from '../../../client/inbox/filter-questions.ts';
import { isInSettled, readSettledQuestions } from '../../../client/inbox/read-settled.ts';
import { changeSettled, emptySettled, type SettledState } from '../../../client/inbox/settled-state.ts';
import { useReconnected } from '../../connection/server-connection.ts';
import { useLatest } from '../../use-latest.ts';
import { useApprovalFeed } from '../approval-feed.tsx';

/** Options of `useSettledQuestions`. */
export type SettledQuestionsOptions = Partial<ApprovalsApi> & {
  /** The filter that the server applies. `sort` has no effect. */
  readonly filter?: InboxFilter;
};

/** The settled questions found so far. */
export type SettledQuestionsState = Omit<SettledState, 'cursor'> & {
  /** Loads more; absent if everything was searched. */
  readonly more: (() => void) | undefined;
  readonly refresh: () => void;
};

/** Typing sends one request, not one for each letter. */
const quietMs = 250;

/**
 * The questions of all chats that are no longer open, most recently asked first, filtered by the server.
 * Questions that are settled later are added.
 *
 * @source H9
 */
export function useSettledQuestions(options: SettledQuestionsOptions = {}): SettledQuestionsState {
  const { api = defaultApprovalsApi, fetch, filter = {} } = options;
  const { tool, risk, asker, age, text } = filter;
  const approvals = useMemo<ApprovalsApi>(() => ({ api, fetch }), [api, fetch]);
  const applied = useMemo<InboxFilter>(
    () => ({
      tool,
      risk,
      asker,
      age,
      text: text || undefined,
    }),
    [tool, risk, asker, age, text],
  );
  const [state, change] = useReducer(changeSettled, emptySettled);
  const reading = useRef<AbortController>(undefined);

  const read = useCallback(
    async (cursor?: string) => {
      reading.current?.abort();
      const own = new AbortController();
      reading.current = own;
      change({ type: 'reading' });
      const page = await readSettledQuestions(approvals, applied, cursor, own.signal);
      if (own.signal.aborted) return;
      if (!page) change({ type: 'unreadable' });
      else change({ type: cursor === undefined ? 'read' : 'read-on', page });
    },
    [approvals, applied],
  );
  const isFirst = useRef(true);
  useEffect(() => {
    const timer = setTimeout(() => void read(), isFirst.current ? 0 : quietMs);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      reading.current?.abort();
    };
  }, [read]);

  const latest = useLatest(() => void read());
  useReconnected(latest);
  useApprovalFeed(
    ({ type, question }) => {
      if (type === 'settled' && isInSettled(question, applied)) change({ type, question });
    },
    undefined,
    approvals,
  );

  const { cursor, ...found } = state;
  return {
    ...found,
    more: cursor === undefined ? undefined : () => void read(cursor),
    refresh: useCallback(() => void read(), [read]),
  };
}
