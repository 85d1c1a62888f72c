'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import type { ChatRequestOptions, UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import type { GivenDecisions } from '../../client/chat/given-decisions.ts';
import type { LiveEvent } from '../../client/chat/live-parts.ts';
import { isOpenPart } from '../../client/chat/message-parts.ts';
import type { DecisionToSend } from '../../protocol/approval/decisions.ts';
import { useLatest } from '../use-latest.ts';

/** What answering needs. */
export type AnswerQueueSettings<Message extends UIMessage> = {
  readonly chat: UseChatHelpers<Message>;
  readonly decisions: GivenDecisions;
  readonly feed: (event: LiveEvent<Message>) => void;
  /** A response is being replayed: the question is shown, but `useChat` does not hold it yet. */
  readonly isReplaying: boolean;
};

/** Gives one answer. @returns false when the question has its answer already: nothing changed */
export type GiveAnswer = (decision: DecisionToSend, options?: ChatRequestOptions) => boolean;

type Waiting = { readonly decision: DecisionToSend; readonly options?: ChatRequestOptions };

/**
 * Answers each question once. An answer given during a replay is sent when the replay ends: `useChat` would drop it.
 */
export function useAnswerQueue<Message extends UIMessage>(
  settings: AnswerQueueSettings<Message>,
): GiveAnswer {
  const { chat, decisions, feed, isReplaying } = settings;
  const waiting = useRef<readonly Waiting[]>([]);

  const send = useLatest(({ decision: { id, approved, reason }, options }: Waiting) => {
    void chat.addToolApprovalResponse({ id, approved, reason, options });
  });

  const sendWaiting = useLatest(() => {
    const answers = waiting.current;
    waiting.current = [];
    const open = new Set(
      chat.messages.at(-1)?.parts.flatMap((part) => (isOpenPart(part) ? part.approval.id : [])),
    );
    for (const answer of answers) {
      if (open.has(answer.decision.id)) send(answer);
    }
  });
  useEffect(() => {
    if (!isReplaying) sendWaiting();
  }, [isReplaying, sendWaiting]);

  return useLatest((decision, options) => {
    if (!decisions.give(decision)) return false;
    const { id, approved, reason, input } = decision;
    const at = new Date().toISOString();
    feed({
      type: 'answered',
      id,
      answer: {
        approved,
        at,
        ...(reason !== undefined && { reason }),
        ...(approved && input !== undefined && { input }),
      },
    });
    const answer = { decision, options };
    if (isReplaying) waiting.current = [...waiting.current, answer];
    else send(answer);
    return true;
  });
}
