'use client';

import { useEffect, useMemo, useReducer, useState } from 'react';
import { useReconnected } from '../../../react/connection/server-connection.ts';
import { useLatest } from '../../../react/use-latest.ts';
import { createToolEventsSession } from '../client/conversation/tool-events-session.ts';
import {
  type AskedApproval,
  emptyToolEventsState,
  reduceToolEvents,
  type ToolEventsMessage,
} from '../client/conversation/tool-events-state.ts';

/** The options of `useToolEvents`. The addresses are read once. */
export type ToolEventsOptions = {
  /** Default: `/api/dialects/tool-events`. */
  readonly api?: string;
  /** Default: `/api/approvals`. */
  readonly approvalsApi?: string;
  /** The address for reading a run's state and stopping it. Default: `/api/chat`. */
  readonly chatsApi?: string;
  /** A stored conversation to continue. Another one needs another component (`key`). */
  readonly conversationId?: string;
};

/** A conversation, and what a page can do with it. */
export type ToolEventsChat = {
  /** Absent until the first answer has begun. */
  readonly conversationId?: string;
  readonly messages: readonly ToolEventsMessage[];
  /** The last message's open question: for `messageItems`, which puts it where it was asked. */
  readonly asked?: AskedApproval & { readonly after: number };
  /** `waiting`: for an answer. */
  readonly phase: 'idle' | 'running' | 'waiting';
  /** Why the last action failed, in a sentence for people. */
  readonly failure?: string;
  /** Sends a message, which cancels an open question. */
  readonly send: (text: string) => void;
  /** Answers a question. Only the first answer counts. */
  readonly answer: (approvalId: string, approved: boolean, reason?: string) => void;
  /** Stops the run, or withdraws the open question. */
  readonly stop: () => void;
  /** Opens or closes an invocation. */
  readonly toggle: (toolCallId: string) => void;
  /** Reads an output that was sent by reference: for `onReadOutput` of `ToolInvocation`. */
  readonly readOutput: (toolCallId: string, outputRef: string) => void;
  /** Makes a failed call of the last message again, if its error is `retryable`. */
  readonly retryCall: (toolCallId: string) => void;
  /** Repeats the failed action: sends the unsent message again, or else reads the conversation again. */
  readonly retry: () => void;
};

/**
 * A conversation in the dialect of tool invocation events. While the page is visible, it follows what other pages send and
 * answer. Unmounting detaches and stops nothing: mounted again with the same `conversationId`, it is rebuilt from what is
 * stored.
 *
 * @source A18-A22, A25, A26
 */
export function useToolEvents(options: ToolEventsOptions = {}): ToolEventsChat {
  const { api = '/api/dialects/tool-events', conversationId } = options;
  const { approvalsApi = '/api/approvals', chatsApi = '/api/chat' } = options;
  const [state, dispatch] = useReducer(reduceToolEvents, emptyToolEventsState);

  const [session] = useState(() => createToolEventsSession({ api, approvalsApi, chatsApi }, dispatch));
  const actions = useMemo(
    () => ({
      send: (text: string) => void session.send(text),
      answer: (approvalId: string, approved: boolean, reason?: string) =>
        void session.answer(approvalId, approved, reason),
      stop: () => void session.stop(),
      toggle: (toolCallId: string) => dispatch({ type: 'toggled', toolCallId }),
      readOutput: (toolCallId: string, outputRef: string) => void session.readOutput(toolCallId, outputRef),
      retryCall: (toolCallId: string) => void session.retryCall(toolCallId),
      retry: () => void session.retry(),
    }),
    [session],
  );

  useEffect(() => {
    if (conversationId !== undefined) void session.open(conversationId);
    return session.close;
  }, [session, conversationId]);

  const openAgain = useLatest(() => {
    const id = state.conversationId ?? conversationId;
    // A response that is still read needs nothing.
    if (id !== undefined && !session.isLive()) void session.open(id);
  });
  useReconnected(openAgain);
  useEffect(() => {
    // A browser opens few connections to one server, so a hidden page keeps none.
    const onChange = () => {
      if (!document.hidden) openAgain();
      else if (!session.isLive()) session.close();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [session, openAgain]);

  const { isRunning, ...rest } = state;
  const phase = rest.asked ? 'waiting' : isRunning ? 'running' : 'idle';
  return { ...rest, phase, ...actions };
}
