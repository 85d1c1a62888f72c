'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type OutcomeToRecord, postOutcome } from '../../client/calls/post-outcome.ts';
import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import { defaultApprovalsApi, postAnswer } from '../../client/inbox/approvals-api.ts';
import type { NewAnswer } from '../../client/question.ts';
import { type LoadedQuestion, loadQuestion, type QuestionApi } from '../../client/sheet/load-question.ts';
import { useApprovalFeed } from '../inbox/approval-feed.tsx';

/** One question and its sealed record, kept up to date. */
export type QuestionSheetState = {
  readonly state: 'loading' | LoadedQuestion['type'];
  /** The last one that was loaded, even if loading failed later. */
  readonly sheet: Extract<LoadedQuestion, { type: 'loaded' }> | undefined;
  /** Answers it. Never rejects. @source H10 */
  readonly answer: (answer: NewAnswer) => Promise<AnswerResult>;
  /**
   * Records what came of its call, if that is unknown.
   *
   * @throws Error with the server's message when it was refused
   * @source ADR 0019
   */
  readonly resolve: (outcome: OutcomeToRecord) => Promise<void>;
  readonly refresh: () => void;
};

/** The feed does not report the end of a call. */
const pollMs = 1_000;

/** Whether the record will grow: the call was approved, and has not ended. */
function isRunning({ question, record, outcome }: NonNullable<QuestionSheetState['sheet']>): boolean {
  if (question.state !== 'approved') return false;
  return outcome === 'running' || (record.length > 0 && record.every(({ type }) => type !== 'ended'));
}

/**
 * Loads a question with the sealed record of its call, and loads it again when a question of its chat opens or settles,
 * and each second while the call runs.
 *
 * @param id the approval id
 */
export function useQuestionSheet(id: string, { api, chatApi, fetch }: QuestionApi = {}): QuestionSheetState {
  const [state, setState] = useState<Pick<QuestionSheetState, 'state' | 'sheet'>>({
    state: 'loading',
    sheet: undefined,
  });
  const newest = useRef(0);
  const load = useCallback(async () => {
    newest.current += 1;
    const loading = newest.current;
    const loaded = await loadQuestion(id, {
      api,
      chatApi,
      fetch,
    });
    // A slower, older response must not replace a newer one.
    if (loading !== newest.current) return;
    setState(({ sheet }) => ({
      state: loaded.type,
      sheet: loaded.type === 'loaded' ? loaded : sheet,
    }));
  }, [id, api, chatApi, fetch]);
  const refresh = useCallback(() => void load(), [load]);

  useEffect(() => {
    setState({ state: 'loading', sheet: undefined });
    refresh();
    return () => {
      newest.current += 1;
    };
  }, [refresh]);
  const { sheet } = state;
  useApprovalFeed(
    ({ question }) => {
      if (question.id === id || question.chatId === sheet?.question.chatId) refresh();
    },
    undefined,
    { api, fetch },
  );

  const isOngoing = sheet !== undefined && isRunning(sheet);
  useEffect(() => {
    if (!isOngoing) return;
    const timer = setInterval(refresh, pollMs);
    return () => clearInterval(timer);
  }, [isOngoing, refresh]);

  const answer = useCallback(
    async (answer: NewAnswer): Promise<AnswerResult> => {
      if (!sheet) return { type: 'refused', code: 'not-found', message: `Question ${id} is not loaded yet.` };
      const result = await postAnswer({ api: api ?? defaultApprovalsApi, fetch }, sheet.question, answer);
      refresh();
      return result;
    },
    [id, sheet, api, fetch, refresh],
  );
  const resolve = useCallback(
    async (outcome: OutcomeToRecord) => {
      if (!sheet) return;
      const chats = { api: chatApi, fetch };
      await postOutcome(chats, sheet.question, outcome);
      await load();
    },
    [sheet, chatApi, fetch, load],
  );
  return useMemo(() => ({ ...state, answer, resolve, refresh }), [state, answer, resolve, refresh]);
}
