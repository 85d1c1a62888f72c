'use client';

import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { answerEach, type BatchResult, denials } from '../../client/inbox/answer-each.ts';
import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import { type ApprovalsApi, postAnswer, readOpenQuestions } from '../../client/inbox/approvals-api.ts';
import type { FeedConnection } from '../../client/inbox/feed/approval-feed-reader.ts';
import { filterQuestions, type InboxFilter } from '../../client/inbox/filter-questions.ts';
import { changeInbox, emptyInbox, type InboxState } from '../../client/inbox/inbox-state.ts';
import type { NewAnswer, Question } from '../../client/question.ts';
import { useLatest } from '../use-latest.ts';
import { defaultApprovalsApi, useApprovalFeed } from './approval-feed.tsx';

/** Options of `useApprovalInbox`. */
export type ApprovalInboxOptions = Partial<ApprovalsApi> & {
  readonly filter?: InboxFilter;
  /** How long a settled question stays in the list, in milliseconds. Default 6,000. */
  readonly leaveAfterMs?: number;
};

/** The open questions of a person from all chats, and the actions on them. */
export type ApprovalInboxState = {
  readonly status: InboxState['status'];
  readonly connection: FeedConnection;
  /** Those that this person may answer, as filtered, oldest first by default; and those settled a moment ago, in their places. */
  readonly questions: readonly Question[];
  /** Those that another person must answer. */
  readonly others: readonly Question[];
  /** Settled since the page was opened, most recent first. */
  readonly settled: readonly Question[];
  /** How many open questions this person may answer, unfiltered; a lower bound if `more` is present. */
  readonly count: number;
  /** Never rejects. @source H10 */
  readonly answer: (id: string, answer: NewAnswer) => Promise<AnswerResult>;
  /** Answers several questions, each separately. Questions already decided by others do not change. */
  readonly answerAll: (answers: ReadonlyMap<string, NewAnswer>) => Promise<BatchResult>;
  /** Denies several questions, each separately. */
  readonly denyAll: (ids: readonly string[], reason?: string) => Promise<BatchResult>;
  /** Reads the next page; absent when all are loaded. */
  readonly more: (() => void) | undefined;
  readonly refresh: () => void;
  /** Where its requests go. */
  readonly approvals: ApprovalsApi;
};

const defaultLeaveAfterMs = 6_000;

/**
 * All open questions that this person may answer, across chats, live. Reads the feed of the `ApprovalFeedProvider`
 * above it, or one of its own.
 *
 * @source H9-H11
 */
export function useApprovalInbox(options: ApprovalInboxOptions = {}): ApprovalInboxState {
  const { api = defaultApprovalsApi, fetch, filter, leaveAfterMs = defaultLeaveAfterMs } = options;
  const approvals = useMemo<ApprovalsApi>(() => ({ api, fetch }), [api, fetch]);
  const [state, change] = useReducer(changeInbox, emptyInbox);
  const [connection, setConnection] = useState<FeedConnection>('connecting');
  const newest = useRef(0);
  const shownNow = useLatest(() => state.shown);

  const load = useCallback(async () => {
    newest.current += 1;
    const reading = newest.current;
    change({ type: 'reading' });
    const page = await readOpenQuestions(approvals, { count: shownNow().length });
    // A slower, older list must not replace a newer one.
    if (reading !== newest.current) return;
    change(page ? { type: 'read', ...page } : { type: 'unreadable' });
  }, [approvals, shownNow]);
  const refresh = useCallback(() => void load(), [load]);

  useApprovalFeed(
    (event) => change(event),
    (live) => {
      setConnection(live);
      // A list that was read before the feed started would miss questions asked in between.
      refresh();
    },
    approvals,
  );
  useLeaving(state.shown, leaveAfterMs, (id) => change({ type: 'left', id }));

  const answer = useCallback(
    async (id: string, given: NewAnswer): Promise<AnswerResult> => {
      const asked = shownNow().find((question) => question.id === id);
      if (!asked)
        return { type: 'refused', code: 'not-found', message: `There is no open question ${id} here.` };
      const result = await postAnswer(approvals, asked, given);
      if (result.type === 'answered' || result.type === 'settled') {
        const { question } = result;
        // A vote leaves its question open, and edited arguments are another question.
        change({ type: question.state === 'open' ? 'opened' : 'settled', question });
      }
      // Rights may be revoked while a card is open.
      if (result.type === 'refused' && result.code !== 'invalid-request') refresh();
      return result;
    },
    [approvals, refresh, shownNow],
  );
  const answerAll = useCallback(
    (answers: ReadonlyMap<string, NewAnswer>) => answerEach(answers, answer),
    [answer],
  );
  const denyAll = useCallback(
    (ids: readonly string[], reason?: string) => answerAll(denials(ids, reason)),
    [answerAll],
  );
  const { cursor } = state;
  const more = useCallback(async () => {
    if (cursor === undefined) return;
    const page = await readOpenQuestions(approvals, { cursor });
    if (page) change({ type: 'read-on', ...page });
  }, [approvals, cursor]);

  const { tool, risk, asker, age, text, sort } = filter ?? {};
  const questions = useMemo(() => {
    const mine = state.shown.filter(({ mayAnswer }) => mayAnswer);
    return filterQuestions(mine, { tool, risk, asker, age, text, sort });
  }, [state.shown, tool, risk, asker, age, text, sort]);
  const others = useMemo(() => state.shown.filter(({ mayAnswer }) => !mayAnswer), [state.shown]);

  return useMemo(
    () => ({
      status: state.status,
      connection,
      questions,
      others,
      settled: state.settled,
      count: state.shown.filter(({ mayAnswer, state: stands }) => mayAnswer && stands === 'open').length,
      answer,
      answerAll,
      denyAll,
      more: cursor === undefined ? undefined : () => void more(),
      refresh,
      approvals,
    }),
    [state, connection, questions, others, answer, answerAll, denyAll, cursor, more, refresh, approvals],
  );
}

/** Removes each settled question from the list after a while. */
function useLeaving(shown: readonly Question[], afterMs: number, leave: (id: string) => void): void {
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const leaveNow = useLatest(leave);
  useEffect(() => {
    for (const { id, state } of shown) {
      if (state === 'open' || timers.current.has(id)) continue;
      const timer = setTimeout(() => {
        timers.current.delete(id);
        leaveNow(id);
      }, afterMs);
      timers.current.set(id, timer);
    }
  }, [shown, afterMs, leaveNow]);
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running.values()) clearTimeout(timer);
      running.clear();
    };
  }, []);
}
