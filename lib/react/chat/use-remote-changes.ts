'use client';

import type { UIMessage } from 'ai';
import { useEffect, useRef, useState } from 'react';
import type { LiveEvent } from '../../client/chat/live-parts.ts';
import { openPartOf, showsUnknownOutcome } from '../../client/chat/message-parts.ts';
import type { ApprovalsApi } from '../../client/inbox/approvals-api.ts';
import { useApprovalFeed } from '../inbox/approval-feed.tsx';
import { useLatest } from '../use-latest.ts';

/** What following remote changes needs. */
export type RemoteChangesSettings<Message extends UIMessage> = {
  readonly chatId: string;
  readonly messages: readonly Message[];
  /** No response is being read, and nothing is being stopped. */
  readonly isAtRest: boolean;
  /** The address of the feed of questions; `false` for none. */
  readonly approvals: ApprovalsApi | false;
  readonly feed: (event: LiveEvent<Message>) => void;
  readonly synchronize: () => Promise<void>;
  readonly catchUp: () => Promise<void>;
};

/**
 * Reloads the chat when another page or process asked or answered its question, when a call's outcome became known late,
 * and when a lost connection is back.
 *
 * @returns whether the feed of questions is disconnected
 * @source H11
 */
export function useRemoteChanges<Message extends UIMessage>(
  settings: RemoteChangesSettings<Message>,
): boolean {
  const { chatId, messages, isAtRest, approvals, feed, synchronize, catchUp } = settings;
  const [isFeedLost, setFeedLost] = useState(false);
  const ownFetch = approvals ? approvals.fetch : undefined;
  // A `fetch` that changes with each rendering must not reopen the feed.
  const fetch = useLatest<Parameters<typeof globalThis.fetch>, Promise<Response>>((...request) =>
    (ownFetch ?? globalThis.fetch)(...request),
  );
  const settledWhileBusy = useRef(new Set<string>());

  useApprovalFeed(
    ({ type, question }) => {
      if (question.chatId !== chatId) return;
      const isSettled = type === 'settled';
      if (isSettled) feed({ type: 'settled', question });
      if (!isAtRest) {
        if (isSettled) settledWhileBusy.current.add(question.id);
        return;
      }
      const isOpenHere = openPartOf(messages)?.approval.id === question.id;
      if (isOpenHere && !isSettled) feed({ type: 'changed', question });
      // A settled question changes again when the outcome of its call becomes known.
      if (isOpenHere === isSettled || showsUnknownOutcome(messages, question.id)) void synchronize();
    },
    (connection) => {
      setFeedLost(connection === 'lost');
      if (isFeedLost && connection === 'live' && isAtRest) void catchUp();
    },
    approvals && { api: approvals.api, fetch },
  );

  // Another page may answer the question while this one is still reading the response that asks it.
  const settleLate = useLatest(() => {
    const open = openPartOf(messages)?.approval.id;
    if (open !== undefined && settledWhileBusy.current.delete(open)) void synchronize();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages are what may hold such a question
  useEffect(() => {
    if (isAtRest) settleLate();
  }, [messages, isAtRest, settleLate]);

  return isFeedLost;
}
