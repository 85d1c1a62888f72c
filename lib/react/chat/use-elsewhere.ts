'use client';

import type { UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import type { LiveEvent } from '../../client/chat/live-parts.ts';
import { openPartOf, showsUnknownOutcome } from '../../client/chat/message-parts.ts';
import type { ApprovalsApi } from '../../client/inbox/approvals-api.ts';
import { useApprovalFeed } from '../inbox/approval-feed.tsx';
import { useLatest } from '../use-latest.ts';

/** What learning of answers given elsewhere needs. */
export type ElsewhereSettings<Message extends UIMessage> = {
  readonly chatId: string;
  readonly messages: readonly Message[];
  /** No response is being read, and nothing is being stopped. */
  readonly isAtRest: boolean;
  /** Where the feed of questions is; `false` for none. */
  readonly approvals: ApprovalsApi | false;
  readonly feed: (event: LiveEvent<Message>) => void;
  readonly synchronize: () => Promise<void>;
  readonly onFeedLost: (isLost: boolean) => void;
};

/**
 * Follows a chat whose question was answered, or asked, by somebody or something else, or whose call's outcome became
 * known late.
 *
 * @source contract H11
 */
export function useElsewhere<Message extends UIMessage>(settings: ElsewhereSettings<Message>): void {
  const { chatId, messages, isAtRest, approvals, feed, synchronize, onFeedLost } = settings;
  const ownFetch = approvals ? approvals.fetch : undefined;
  // One that is made anew at each rendering must not open the feed anew.
  const fetch = useLatest<Parameters<typeof globalThis.fetch>, Promise<Response>>((...request) =>
    (ownFetch ?? globalThis.fetch)(...request),
  );
  const settledMeanwhile = useRef(new Set<string>());

  useApprovalFeed(
    ({ type, question }) => {
      if (question.chatId !== chatId) return;
      const isSettled = type === 'settled';
      if (isSettled) feed({ type: 'settled', question });
      if (!isAtRest) {
        if (isSettled) settledMeanwhile.current.add(question.id);
        return;
      }
      const isOpenHere = openPartOf(messages)?.approval.id === question.id;
      // A settled question changes once more when the outcome of its call becomes known.
      if (isOpenHere === isSettled || showsUnknownOutcome(messages, question.id)) void synchronize();
    },
    (connection) => onFeedLost(connection === 'lost'),
    approvals && { api: approvals.api, fetch },
  );

  // A question may be answered elsewhere while the response that asks it is still being read.
  const catchUp = useLatest(() => {
    const open = openPartOf(messages)?.approval.id;
    if (open !== undefined && settledMeanwhile.current.delete(open)) void synchronize();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages are what may hold such a question
  useEffect(() => {
    if (isAtRest) catchUp();
  }, [messages, isAtRest, catchUp]);
}
