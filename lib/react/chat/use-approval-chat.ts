'use client';

import { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useEffect, useMemo, useRef, useState } from 'react';
import { phaseOf } from '../../client/chat/chat-phase.ts';
import { createGivenDecisions } from '../../client/chat/given-decisions.ts';
import { askedAgain, unsettledAnswers } from '../../client/chat/message-parts.ts';
import { postOutcome } from '../../client/chat/post-outcome.ts';
import { explainFailure, networkFailure, type RequestFailure } from '../../client/chat/request-failure.ts';
import { type RequestKind, watchedTransport } from '../../client/chat/watched-transport.ts';
import { useLatest } from '../use-latest.ts';
import { useWords } from '../words/words.tsx';
import type { ApprovalChat, ApprovalChatOptions } from './approval-chat-types.ts';
import { useAnswering } from './use-answering.ts';
import { useChatRecovery } from './use-chat-recovery.ts';
import { useChatView } from './use-chat-view.ts';
import { useConnection } from './use-connection.ts';
import { useElsewhere } from './use-elsewhere.ts';
import { useLiveParts } from './use-live-parts.ts';
import { useOpenQuestion } from './use-open-question.ts';
import { useSteadyMessages } from './use-steady-messages.ts';

const defaultThrottleMs = 40;

/**
 * One chat with approvals: `useChat` with the open question and its answers, the draft, the states of calls, answers
 * given elsewhere, stop and recovery. Another chat needs another component (`key`).
 *
 * Over `createSseTransport` and `createBidiTransport` all of it works. Over another transport of the SDK nothing can
 * be edited or remembered, and `stop` stops no run; from a server without our data parts or APIs, there is no draft,
 * no recovery but sending again, and calls have the states that their parts tell.
 *
 * @source contract H1-H13, P, T6
 */
export function useApprovalChat<Message extends UIMessage = UIMessage>(
  options: ApprovalChatOptions<Message>,
): ApprovalChat<Message> {
  const { transport, stored, api, approvalsApi = '/api/approvals', fetch, clientTools, ...rest } = options;
  const { feed: followsFeed = true, throttle = defaultThrottleMs, resume, ...init } = rest;
  const words = useWords().chat;
  const { live, draft: written, feed } = useLiveParts(stored);
  const [decisions] = useState(createGivenDecisions);
  const [failure, setFailure] = useState<RequestFailure>();
  const [isStopping, setStopping] = useState(false);
  const [isFeedLost, setFeedLost] = useState(false);
  const resumes = resume ?? (stored?.run.status === 'active' || stored?.run.status === 'waiting');
  // Read once, as `useChat` does. What is stored, or replayed, the server vouches for.
  const [initial] = useState(() => (init.messages && !resumes ? askedAgain(init.messages) : init.messages));
  const lastRequest = useRef<RequestKind>('turn');
  const supersedes = useRef(false);

  const watched = useMemo(
    () =>
      watchedTransport(transport, {
        began(kind) {
          lastRequest.current = kind;
          // What is said of a refused answer stays, while its question is asked again.
          setFailure((now) => (kind === 'replay' && now?.kind === 'refused' ? now : undefined));
          feed({ type: kind === 'turn' ? 'turn-began' : 'response-began' });
        },
        decisions: decisions.all,
        asked: decisions.askedAgain,
      }),
    [transport, decisions, feed],
  );

  const chat = useChat<Message>({
    ...init,
    id: init.id ?? stored?.id,
    messages: initial ?? stored?.messages,
    transport: watched,
    throttle,
    resume: resumes,
    onData(part) {
      feed({ type: 'received', part });
      init.onData?.(part);
    },
    onError(error) {
      fail(error);
      init.onError?.(error);
    },
  });

  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  const isReplaying = isBusy && lastRequest.current === 'replay';
  const adopted = live.adopted?.over === chat.messages ? live.adopted.messages : chat.messages;
  const messages = useSteadyMessages(adopted, isReplaying);
  const executes = useMemo(() => new Set(clientTools), [clientTools]);
  const phase = phaseOf({ status: chat.status, messages, failure, isStopping, clientTools: executes });

  const recovery = useChatRecovery({
    api,
    fetch,
    chat,
    decisions,
    failure: failure?.kind,
    feed,
    onUnreachable: () => setFailure(networkFailure(words)),
    onReached: () => setFailure(undefined),
  });
  const fail = useLatest((error: Error) => {
    const explained = explainFailure(error, words);
    setFailure(explained);
    const unsettled = unsettledAnswers(chat.messages);
    const isRefused = explained.kind === 'refused' && unsettled.length > 0;
    if (explained.kind !== 'settled' && !isRefused) return;
    feed({ type: 'refused', ids: unsettled });
    void recovery.synchronize();
  });
  const connection = useConnection({
    isCut: failure?.kind === 'network',
    isRetrying: recovery.isRetrying,
    isFeedLost,
  });
  const giveAnswer = useAnswering({ chat, decisions, feed, isReplaying });
  useElsewhere({
    chatId: chat.id,
    messages: chat.messages,
    isAtRest: !isBusy && !isStopping,
    approvals: followsFeed && { api: approvalsApi, ...(fetch && { fetch }) },
    feed,
    synchronize: recovery.synchronize,
    onFeedLost: setFeedLost,
  });

  // A new message changed the turn before it: its question was withdrawn.
  const onStatus = useLatest(() => {
    if (chat.status !== 'ready' || !supersedes.current) return;
    supersedes.current = false;
    void recovery.refresh();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new status is what is told
  useEffect(() => onStatus(), [chat.status, onStatus]);

  const canCarry = transport.decide !== undefined;
  const { question, answer } = useOpenQuestion<Message>({ chatId: chat.id, messages, canCarry, giveAnswer });

  const shown = useChatView({ messages, live, written, phase });

  return {
    ...chat,
    id: chat.id,
    messages,
    phase,
    question,
    lastDecision: question && decisions.of(question.id),
    ...shown,
    failure,
    connection,
    decide: useLatest((decision, id) => answer(decision, id)),
    approve: useLatest((id, given) => answer({ ...given, approved: true }, id)),
    deny: useLatest((id, given) => answer({ reason: given?.reason, approved: false }, id)),
    stop: useLatest(async () => {
      setStopping(true);
      setFailure(undefined);
      try {
        await transport.cancel?.(chat.id);
        await chat.stop();
        if (transport.cancel) await recovery.synchronize();
      } catch (error) {
        setFailure(explainFailure(error instanceof Error ? error : new Error(String(error)), words));
      } finally {
        setStopping(false);
      }
    }),
    retry: recovery.retry,
    resolveOutcome: useLatest(async (toolCallId, outcome) => {
      await postOutcome({ api, fetch }, { chatId: chat.id, toolCallId }, outcome);
      await recovery.refresh();
    }),
    sendMessage: useLatest((message, requestOptions) => {
      supersedes.current = message !== undefined && question !== undefined;
      return chat.sendMessage(message, requestOptions);
    }),
    addToolApprovalResponse: useLatest(({ options: requestOptions, ...response }) => {
      giveAnswer(response, requestOptions);
    }),
    setMessages: useLatest((next) => {
      decisions.allAskedAgain();
      chat.setMessages(next);
    }),
  };
}
