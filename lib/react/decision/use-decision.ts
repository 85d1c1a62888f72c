'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type OutcomeToRecord, postOutcome } from '../../client/calls/post-outcome.ts';
import { type DecisionApi, type LoadedDecision, loadDecision } from '../../client/decision/load-decision.ts';
import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import { postDecision } from '../../client/inbox/approvals-api.ts';
import type { Decision } from '../../client/question.ts';
import { defaultApprovalsApi, useApprovalFeed } from '../inbox/approval-feed.tsx';

/** One question and its sealed record, kept up to date. */
export type DecisionState = {
  readonly state: 'loading' | LoadedDecision['type'];
  /** The last one that was loaded, even if loading failed later. */
  readonly decision: Extract<LoadedDecision, { type: 'loaded' }> | undefined;
  /** Answers it. Never rejects. @source H10 */
  readonly decide: (decision: Decision) => Promise<AnswerResult>;
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
function isRunning({ question, record, outcome }: NonNullable<DecisionState['decision']>): boolean {
  if (question.state !== 'approved') return false;
  return outcome === 'running' || (record.length > 0 && record.every(({ type }) => type !== 'ended'));
}

/**
 * Loads a question with the sealed record of its call, and loads it again when a question of its chat opens or settles,
 * and each second while the call runs.
 *
 * @param id the approval id
 */
export function useDecision(id: string, { api, chatApi, fetch }: DecisionApi = {}): DecisionState {
  const [state, setState] = useState<Pick<DecisionState, 'state' | 'decision'>>({
    state: 'loading',
    decision: undefined,
  });
  const newest = useRef(0);
  const load = useCallback(async () => {
    newest.current += 1;
    const loading = newest.current;
    const loaded = await loadDecision(id, {
      ...(api !== undefined && { api }),
      ...(chatApi !== undefined && { chatApi }),
      ...(fetch && { fetch }),
    });
    // A slower, older response must not replace a newer one.
    if (loading !== newest.current) return;
    setState(({ decision }) => ({
      state: loaded.type,
      decision: loaded.type === 'loaded' ? loaded : decision,
    }));
  }, [id, api, chatApi, fetch]);
  const refresh = useCallback(() => void load(), [load]);

  useEffect(() => {
    setState({ state: 'loading', decision: undefined });
    refresh();
    return () => {
      newest.current += 1;
    };
  }, [refresh]);
  const { decision } = state;
  useApprovalFeed(
    ({ question }) => {
      if (question.id === id || question.chatId === decision?.question.chatId) refresh();
    },
    undefined,
    { ...(api !== undefined && { api }), ...(fetch && { fetch }) },
  );

  const isOngoing = decision !== undefined && isRunning(decision);
  useEffect(() => {
    if (!isOngoing) return;
    const timer = setInterval(refresh, pollMs);
    return () => clearInterval(timer);
  }, [isOngoing, refresh]);

  const decide = useCallback(
    async (answer: Decision): Promise<AnswerResult> => {
      if (!decision)
        return { type: 'refused', code: 'not-found', message: `Question ${id} is not loaded yet.` };
      const result = await postDecision(
        { api: api ?? defaultApprovalsApi, ...(fetch && { fetch }) },
        decision.question,
        answer,
      );
      refresh();
      return result;
    },
    [id, decision, api, fetch, refresh],
  );
  const resolve = useCallback(
    async (outcome: OutcomeToRecord) => {
      if (!decision) return;
      const chats = { ...(chatApi !== undefined && { api: chatApi }), ...(fetch && { fetch }) };
      await postOutcome(chats, decision.question, outcome);
      await load();
    },
    [decision, chatApi, fetch, load],
  );
  return useMemo(() => ({ ...state, decide, resolve, refresh }), [state, decide, resolve, refresh]);
}
