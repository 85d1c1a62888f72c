'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import type { ChatRequestOptions, UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import type { GivenAnswers } from '../../client/chat/given-answers.ts';
import type { KnownAnswer } from '../../client/chat/known-answers.ts';
import type { LiveEvent } from '../../client/chat/live-parts.ts';
import type { AnswerToSend } from '../../protocol/approval/kept-answers.ts';
import { useLatest } from '../use-latest.ts';

/** What answering needs. */
export type AnswerQueueSettings<Message extends UIMessage> = {
  readonly chat: UseChatHelpers<Message>;
  readonly answers: GivenAnswers;
  readonly feed: (event: LiveEvent<Message>) => void;
  /** Called before something is added: takes a message that did not arrive out of the chat. */
  readonly setAside: () => void;
  /** A response is being replayed, or is about to be: what the message holds now will be replaced. */
  readonly isReplaying: boolean;
};

/** Gives one answer. @param chosen the option that it names @returns false if the question is already answered: nothing changed */
export type GiveAnswer = (
  answer: AnswerToSend,
  options?: ChatRequestOptions,
  chosen?: KnownAnswer['option'],
) => boolean;

/** What a page adds to the last message. */
export type AnswerQueue<Message extends UIMessage> = {
  readonly giveAnswer: GiveAnswer;
  readonly addToolOutput: UseChatHelpers<Message>['addToolOutput'];
};

/**
 * Answers each question once. Answers and client tools' outputs that are given during a replay are added to
 * the message when the replay ends, because the replay would drop them.
 */
export function useAnswerQueue<Message extends UIMessage>(
  settings: AnswerQueueSettings<Message>,
): AnswerQueue<Message> {
  const { chat, answers, feed, setAside, isReplaying } = settings;
  const waiting = useRef<(() => void)[]>([]);

  const add = useLatest((adding: () => void) => {
    if (isReplaying) waiting.current.push(adding);
    else adding();
  });
  useEffect(() => {
    if (isReplaying) return;
    for (const adding of waiting.current.splice(0)) adding();
  }, [isReplaying]);

  const giveAnswer: GiveAnswer = useLatest((answer, options, chosen) => {
    if (!answers.give(answer)) return false;
    const { id, approved, reason, input } = answer;
    const at = new Date().toISOString();
    feed({
      type: 'answered',
      id,
      answer: {
        approved,
        at,
        ...(reason !== undefined && { reason }),
        ...(chosen && { option: chosen }),
        ...(approved && input !== undefined && { input }),
      },
    });
    add(() => {
      setAside();
      void chat.addToolApprovalResponse({ id, approved, reason, options });
    });
    return true;
  });
  const addToolOutput: UseChatHelpers<Message>['addToolOutput'] = useLatest(
    (output) =>
      new Promise((resolve) =>
        add(() => {
          setAside();
          resolve(chat.addToolOutput(output));
        }),
      ),
  );

  return { giveAnswer, addToolOutput };
}
