'use client';

import { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApprovalChat, ApprovalChatOptions, ApproveOptions, QuestionOf } from './approval-chat-types.ts';
import { callsOf, itemsOf } from './chat/chat-items.ts';
import { phaseOf } from './chat/chat-phase.ts';
import { unreleased } from './chat/draft.ts';
import { createGivenDecisions } from './chat/given-decisions.ts';
import { isOpenPart, openPartOf, questionOfPart, textOf, unsettledAnswers } from './chat/message-parts.ts';
import { explainFailure, networkFailure, type RequestFailure } from './chat/request-failure.ts';
import { useAnswering } from './chat/use-answering.ts';
import { useChatRecovery } from './chat/use-chat-recovery.ts';
import { useConnection } from './chat/use-connection.ts';
import { useElsewhere } from './chat/use-elsewhere.ts';
import { useLiveParts } from './chat/use-live-parts.ts';
import { useSteadyMessages } from './chat/use-steady-messages.ts';
import { type RequestKind, watchedTransport } from './chat/watched-transport.ts';
import { useLatest } from './use-latest.ts';
import { useWords } from './words.tsx';

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
    messages: init.messages ?? stored?.messages,
    transport: watched,
    throttle,
    resume: resume ?? (stored?.run.status === 'active' || stored?.run.status === 'waiting'),
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

  const open = openPartOf(messages);
  const canCarry = transport.decide !== undefined;
  const question = useMemo(() => {
    if (!open) return undefined;
    const asked = questionOfPart(open, chat.id);
    const carried = canCarry ? asked : { ...asked, mayEdit: false, mayRemember: false };
    // Which tools there are, and what they take, is the message type's word.
    return carried as QuestionOf<Message>;
  }, [open, chat.id, canCarry]);

  const answer = (approved: boolean, id = open?.approval.id, given: ApproveOptions = {}): boolean => {
    const { reason, input, remember } = given;
    const openHere = messages.at(-1)?.parts.filter(isOpenPart) ?? [];
    if (id === undefined || !openHere.some((part) => part.approval.id === id)) return false;
    if (!canCarry && (input !== undefined || remember !== undefined)) {
      throw new Error(
        'This transport cannot carry edited arguments or remember approvals. Use createSseTransport or createBidiTransport.',
      );
    }
    const told = reason?.trim();
    return giveAnswer({ id, approved, ...(told && { reason: told }), input, remember });
  };

  const tools = useMemo(() => callsOf(messages, live), [messages, live]);
  const last = messages.at(-1);
  const draft = phase === 'idle' ? '' : unreleased(written, last?.role === 'assistant' ? textOf(last) : '');

  return {
    ...chat,
    id: chat.id,
    messages,
    phase,
    question,
    lastDecision: question && decisions.of(question.id),
    draft,
    tools,
    failure,
    connection,
    itemsOf: (message) => {
      const isLast = last === message || !messages.some((one) => one === message);
      return itemsOf(message, live, {
        isLast,
        isRunning: isLast && phase !== 'idle',
        isSettled: !isLast || phase !== 'running' || written !== '',
        draft: isLast ? draft : '',
      });
    },
    decide: useLatest(({ approved, ...given }, id) =>
      answer(approved, id, approved ? given : { reason: given.reason }),
    ),
    approve: useLatest((id, given) => answer(true, id, given)),
    deny: useLatest((id, given) => answer(false, id, given && { reason: given.reason })),
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
    sendMessage: useLatest((message, requestOptions) => {
      supersedes.current = message !== undefined && open !== undefined;
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
