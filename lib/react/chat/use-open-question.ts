'use client';

import type { UIMessage } from 'ai';
import { useMemo } from 'react';
import type { ChangedQuestion } from '../../client/chat/live-parts.ts';
import { isOpenPart, lastReplyIn, openPartOf, questionOfPart } from '../../client/chat/message-parts.ts';
import type { NewAnswer, Question } from '../../client/question.ts';
import type { QuestionOf } from './approval-chat-types.ts';
import type { GiveAnswer } from './use-answer-queue.ts';

/** The sources of the open question, and the way to answer it. */
export type OpenQuestionSettings<Message extends UIMessage> = {
  readonly chatId: string;
  readonly messages: readonly Message[];
  /** A request is in progress. */
  readonly isBusy: boolean;
  /** Whether the transport can carry edited arguments and `remember`. */
  readonly canCarry: boolean;
  readonly giveAnswer: GiveAnswer;
  /** What the server said of the question since. */
  readonly changed: ChangedQuestion | undefined;
};

/** The open question of a chat, and the way to answer it. */
export type OpenQuestion<Message extends UIMessage> = {
  readonly question: QuestionOf<Message> | undefined;
  /** Decides a question that is open here; by default that one. @throws Error for what the transport cannot carry */
  readonly answer: (answer: NewAnswer, id?: string) => boolean;
};

/** Reads the open question. Options that the transport cannot carry are not offered, and throw. */
export function useOpenQuestion<Message extends UIMessage>(
  settings: OpenQuestionSettings<Message>,
): OpenQuestion<Message> {
  const { chatId, messages, isBusy, canCarry, giveAnswer, changed } = settings;
  // A message that is being sent may cancel it.
  const isOpen = !isBusy || messages.at(-1)?.role === 'assistant';
  const open = isOpen ? openPartOf(messages) : undefined;

  const question = useMemo(() => {
    if (!open) return undefined;
    const asked = withChanges(questionOfPart(open, chatId), changed);
    const carried = canCarry ? asked : { ...asked, mayEdit: false, mayRemember: false, options: undefined };
    // The message type declares the tools and their inputs.
    return carried as QuestionOf<Message>;
  }, [open, chatId, canCarry, changed]);

  const answer = (given: NewAnswer, id = open?.approval.id): boolean => {
    const { approved, option, value, input, previewDigest, remember } = given;
    const openHere = isOpen ? (lastReplyIn(messages)?.parts.filter(isOpenPart) ?? []) : [];
    if (id === undefined || !openHere.some((part) => part.approval.id === id)) return false;
    const isMore = [input, remember, option, value].some((field) => field !== undefined);
    if (!canCarry && (approved ? isMore : option !== undefined)) {
      throw new Error(
        'This transport cannot carry edited arguments or options, or remember approvals. Use createSseTransport or createBidiTransport.',
      );
    }
    const reason = given.reason?.trim();
    const extras = { value, input, remember, ...(previewDigest !== undefined && { previewDigest }) };
    const chosen = question?.options?.find((each) => each.id === option);
    const complete = { id, approved, option, ...(reason && { reason }), ...(approved && extras) };
    return giveAnswer(complete, undefined, chosen && { id: chosen.id, label: chosen.label });
  };

  return { question, answer };
}

/** A question as it is now. The response to a vote of this page may be newer than what the server said before. */
function withChanges(asked: Question, changed: ChangedQuestion | undefined): Question {
  if (changed?.id !== asked.id || castOf(changed) < castOf(asked)) return asked;
  const { escalation, votes, mayAnswer, hasVoted } = changed;
  return { ...asked, escalation, votes, mayAnswer, hasVoted };
}

function castOf({ votes }: ChangedQuestion): number {
  return votes?.cast.length ?? 0;
}
