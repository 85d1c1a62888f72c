'use client';

import { useChat } from '@ai-sdk/react';
import type { ChatStatus } from 'ai';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useApprovalFeed } from './approval-feed.tsx';
import type { StoredChat } from './chat-api.ts';
import { useChatList } from './chat-list.tsx';
import type { ChatMessage } from './chat-message.ts';
import { openPartOf } from './chat-message.ts';
import type { ChatPhase } from './chat-phase.ts';
import { phaseOf } from './chat-phase.ts';
import type { LiveParts } from './live-parts.ts';
import type { RequestKind } from './noticing-transport.ts';
import { noticingTransport } from './noticing-transport.ts';
import type { RequestFailure } from './request-failure.ts';
import { explainFailure } from './request-failure.ts';
import type { Answers } from './use-answers.ts';
import { useAnswers } from './use-answers.ts';
import { useChatRecovery } from './use-chat-recovery.ts';
import { useLiveParts } from './use-live-parts.ts';
import { useLocationTool } from './use-location-tool.ts';
import { useSteadyMessages } from './use-steady-messages.ts';
import { useTransport } from './use-transport.ts';
import type { TransportMode } from './use-transport-mode.ts';

/** A chat as its page needs it: what to show, and everything a person can do. */
export type ApprovalChat = {
  messages: readonly ChatMessage[];
  phase: ChatPhase;
  draft: string;
  live: LiveParts;
  answers: Answers;
  failure: RequestFailure | undefined;
  send: (text: string) => void;
  edit: (messageId: string, text: string) => void;
  regenerate: () => void;
  answer: (approvalId: string, approved: boolean, reason: string) => void;
  stop: () => void;
  retry: () => void;
};

const throttleMs = 40;

/**
 * One chat over the chosen transport: `useChat` with resume, draft, live tool states, answers given
 * elsewhere, the browser's own tool, stop and recovery.
 *
 * @param stored the chat as the server has it, or an empty one
 */
export function useApprovalChat(stored: StoredChat, mode: TransportMode): ApprovalChat {
  const chats = useChatList();
  const chosen = useTransport(mode);
  const { live, draft, feed } = useLiveParts(stored.draft);
  const { answers, remember, rememberSettled } = useAnswers();
  const [failure, setFailure] = useState<RequestFailure>();
  const [isStopping, setStopping] = useState(false);
  const lastRequest = useRef<RequestKind>('turn');
  const settledMeanwhile = useRef(new Set<string>());
  const supersedes = useRef(false);

  const transport = useMemo(
    () =>
      noticingTransport(chosen.transport, (kind) => {
        lastRequest.current = kind;
        setFailure(undefined);
        feed({ type: kind === 'turn' ? 'turn-began' : 'response-began' });
      }),
    [chosen, feed],
  );

  const chat = useChat<ChatMessage>({
    id: stored.id,
    messages: stored.messages,
    transport,
    sendAutomaticallyWhen: chosen.sendAutomaticallyWhen,
    resume: stored.run.status === 'active' || stored.run.status === 'waiting',
    throttle: throttleMs,
    onData: (part) => feed({ type: 'received', part }),
    onError: (error) => {
      const explained = explainFailure(error);
      setFailure(explained);
      if (explained.kind === 'settled') void recovery.synchronize();
    },
  });

  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  const messages = useSteadyMessages(chat.messages, isBusy && lastRequest.current === 'replay');
  const recovery = useChatRecovery(stored.id, chat, feed, setFailure);
  const phase = phaseOf(chat.status, messages, failure !== undefined, isStopping);

  const onStatus = useEffectEvent((status: ChatStatus) => {
    chats.refresh();
    if (status !== 'ready' || !supersedes.current) return;
    supersedes.current = false;
    void recovery.refresh();
  });
  useEffect(() => onStatus(chat.status), [chat.status]);

  const isAtRest = !isBusy && !isStopping;
  useApprovalFeed(({ type, question }) => {
    if (question.chatId !== stored.id) return;
    if (type === 'settled') rememberSettled(question);
    if (!isAtRest) {
      if (type === 'settled') settledMeanwhile.current.add(question.id);
      return;
    }
    const isOpenHere = openPartOf(chat.messages)?.approval.id === question.id;
    if (isOpenHere === (type === 'settled')) void recovery.synchronize();
  });

  // A question may be answered elsewhere while the response that asks it is still being read.
  const catchUp = useEffectEvent((messages: readonly ChatMessage[]) => {
    const open = openPartOf(messages)?.approval.id;
    if (open !== undefined && settledMeanwhile.current.delete(open)) void recovery.synchronize();
  });
  useEffect(() => {
    if (isAtRest) catchUp(chat.messages);
  }, [chat.messages, isAtRest]);

  useLocationTool(chat.messages, !isBusy, (toolCallId, outcome) => {
    if (outcome.type === 'refused') {
      void chat.addToolOutput({
        tool: 'get_location',
        toolCallId,
        state: 'output-error',
        errorText: outcome.reason,
      });
      return;
    }
    const { latitude, longitude, accuracy } = outcome;
    void chat.addToolOutput({
      tool: 'get_location',
      toolCallId,
      output: { latitude, longitude, accuracy },
    });
  });

  const stop = async () => {
    setStopping(true);
    try {
      await chosen.cancel(stored.id);
      await chat.stop();
      await recovery.synchronize();
    } catch (error) {
      setFailure(explainFailure(error instanceof Error ? error : new Error(String(error))));
    } finally {
      setStopping(false);
      chats.refresh();
    }
  };

  return {
    messages,
    phase,
    draft,
    live,
    answers,
    failure,
    send: (text) => {
      supersedes.current = openPartOf(chat.messages) !== undefined;
      void chat.sendMessage({ text });
    },
    edit: (messageId, text) => void chat.sendMessage({ text, messageId }),
    regenerate: () => void chat.regenerate(),
    answer: (id, approved, reason) => {
      const told = reason.trim() === '' ? undefined : reason.trim();
      remember(id, { approved, at: Date.now(), reason: told });
      void chat.addToolApprovalResponse({ id, approved, reason: told });
    },
    stop: () => void stop(),
    retry: () => void recovery.retry(failure),
  };
}
