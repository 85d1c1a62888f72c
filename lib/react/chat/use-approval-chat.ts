'use client';

import type { UIMessage } from 'ai';
import { useMemo, useState } from 'react';
import { postOutcome } from '../../client/calls/post-outcome.ts';
import { phaseOf } from '../../client/chat/chat-phase.ts';
import { createGivenAnswers } from '../../client/chat/given-answers.ts';
import { unsettledAnswers } from '../../client/chat/message-parts.ts';
import { reportMistake } from '../../client/mistake.ts';
import { useRetryWhenReached } from '../connection/server-connection.ts';
import { useLatest } from '../use-latest.ts';
import { useChatWords } from '../words/use-words.ts';
import type { ApprovalChat, ApprovalChatOptions } from './approval-chat-types.ts';
import { explainFailure } from './requests/explain-failure.ts';
import { useChatRecovery } from './requests/use-chat-recovery.ts';
import { useChatRequests } from './requests/use-chat-requests.ts';
import { useConnection } from './requests/use-connection.ts';
import { useSdkChat } from './requests/use-sdk-chat.ts';
import { useStop } from './requests/use-stop.ts';
import { useUnsentMessage } from './requests/use-unsent-message.ts';
import { useAnswerQueue } from './use-answer-queue.ts';
import { useChatView } from './use-chat-view.ts';
import { useLiveParts } from './use-live-parts.ts';
import { useMessagesDuringReplay } from './use-messages-during-replay.ts';
import { useOpenQuestion } from './use-open-question.ts';
import { useRemoteChanges } from './use-remote-changes.ts';

const defaultThrottleMs = 40;

/**
 * One chat with approvals: `useChat` with the open question and its answers, the draft, the states of calls, answers
 * given elsewhere, stop and recovery. Another chat needs another component (`key`).
 *
 * Everything works over `createSseTransport` and `createBidiTransport`. Over another transport of the SDK,
 * approvals cannot be edited or remembered, and `stop` does not stop the run. With a server that lacks our
 * data parts and APIs, there is no draft, recovery only resends, and the states of calls come from their
 * parts.
 *
 * @source H1-H13, P1-P8, T6
 */
export function useApprovalChat<Message extends UIMessage = UIMessage>(
  options: ApprovalChatOptions<Message>,
): ApprovalChat<Message> {
  const { transport, stored, api, approvalsApi = '/api/approvals', fetch, clientTools, ...rest } = options;
  const { feed: followsFeed = true, throttle = defaultThrottleMs, resume, ...init } = rest;
  const words = useChatWords();
  const { live, draft: written, feed } = useLiveParts(stored);
  const [answers] = useState(createGivenAnswers);
  const requests = useChatRequests<Message>({ transport, answers, feed });
  const { failure, setFailure } = requests;

  const chat = useSdkChat({
    ...{ init, stored, resume, throttle, feed },
    transport: requests.transport,
    onChanged: (messageId) => void recovery.reread(messageId),
    onError: (error: Error) => onError(error),
  });
  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  useRetryWhenReached(chat.status === 'streaming');
  const isReplaying = isBusy && requests.last.current === 'replay';
  const adopted = live.adopted?.over === chat.messages ? live.adopted.messages : chat.messages;
  const messages = useMessagesDuringReplay(adopted, isReplaying);

  const recovery = useChatRecovery({
    ...{ api, fetch, chat, answers, feed },
    failure: failure?.kind,
    setFailure,
    giveAgain: (answer) => void giveAnswer(answer),
  });
  const onError = useLatest((error: Error) => {
    reportMistake(error);
    const explained = explainFailure(error, words);
    const { kind, detail } = explained;
    const unconfirmed = answers.unconfirmed(unsettledAnswers(chat.messages));
    if (unconfirmed.length > 0 && kind !== 'settled' && kind !== 'refused')
      return void recovery.askAgain(unconfirmed, kind === 'network' ? undefined : detail);
    setFailure(explained);
    const unsettled = unsettledAnswers(chat.messages);
    const isRefused = kind === 'refused' && unsettled.length > 0;
    if (kind !== 'settled' && !isRefused) return;
    answers.replied(unsettled);
    feed({ type: 'refused', ids: unsettled });
    void recovery.synchronize();
  });
  const { isStopping, stop } = useStop({
    ...{ chat, transport, synchronize: recovery.synchronize },
    onBegin: () => setFailure(undefined),
    onFailure: (error) => setFailure(explainFailure(error, words)),
  });
  const isFeedLost = useRemoteChanges({
    ...{ chatId: chat.id, messages: chat.messages, feed, synchronize: recovery.synchronize },
    catchUp: recovery.catchUp,
    isAtRest: !isBusy && !isStopping,
    approvals: followsFeed && { api: approvalsApi, ...(fetch && { fetch }) },
  });

  const setAside = useUnsentMessage({ chat, setFailure });
  const { giveAnswer, addToolOutput } = useAnswerQueue({
    ...{ chat, answers, feed, setAside },
    isReplaying: isReplaying || requests.isResuming,
  });
  const canCarry = transport.keepAnswer !== undefined;
  const { question, answer } = useOpenQuestion<Message>({
    ...{ chatId: chat.id, messages, isBusy, canCarry, giveAnswer },
    changed: live.changed,
  });
  const executes = useMemo(() => new Set(clientTools), [clientTools]);
  const phase = phaseOf({ status: chat.status, messages, failure, isStopping, clientTools: executes });
  const { isRetrying, retry } = recovery;

  return {
    ...chat,
    ...{ messages, phase, question, failure, stop, retry, addToolOutput },
    ...useChatView({ messages, live, written, phase }),
    lastAnswer: question && answers.of(question.id),
    connection: useConnection({
      isCut: failure?.kind === 'network' || failure?.kind === 'unconfirmed',
      isRetrying,
      isFeedLost,
    }),
    answer: useLatest((given, id) => answer(given, id)),
    approve: useLatest((id, given) => answer({ ...given, approved: true }, id)),
    deny: useLatest((id, given) =>
      answer({ reason: given?.reason, option: given?.option, approved: false }, id),
    ),
    resolveOutcome: useLatest(async (toolCallId, outcome) => {
      await postOutcome({ api, fetch }, { chatId: chat.id, toolCallId }, outcome);
      await recovery.refresh();
    }),
    addToolApprovalResponse: useLatest(({ options: requestOptions, ...response }) => {
      giveAnswer(response, requestOptions);
    }),
    setMessages: useLatest((next) => {
      answers.allAskedAgain();
      chat.setMessages(next);
    }),
  };
}
