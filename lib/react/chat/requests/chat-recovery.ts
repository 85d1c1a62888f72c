import type { UseChatHelpers } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import type { Dispatch, SetStateAction } from 'react';
import type { GivenAnswers } from '../../../client/chat/given-answers.ts';
import type { LiveEvent } from '../../../client/chat/live-parts.ts';
import { askedAgain, openPartOf, unsentIn, unsettledAnswers } from '../../../client/chat/message-parts.ts';
import { nextStep } from '../../../client/chat/next-step.ts';
import type { FailureKind } from '../../../client/chat/request-failure.ts';
import {
  type ChatsApi,
  type LoadedChat,
  loadChat,
  type StoredChat,
} from '../../../client/chat/stored-chat.ts';
import type { AnswerToSend } from '../../../protocol/approval/kept-answers.ts';
import type { ChatWords } from '../../words/chat-words.ts';
import { answerFailure, networkFailure, type RequestFailure, unsentFailure } from './explain-failure.ts';

/** What recovery needs. */
export type RecoverySettings<Message extends UIMessage> = ChatsApi & {
  readonly chat: UseChatHelpers<Message>;
  readonly answers: GivenAnswers;
  /** Why the last request failed. */
  readonly failure: FailureKind | undefined;
  readonly feed: (event: LiveEvent<Message>) => void;
  readonly setFailure: Dispatch<SetStateAction<RequestFailure | undefined>>;
  /** Sends an answer again, at the person's request. */
  readonly giveAgain: (answer: AnswerToSend) => void;
};

/**
 * Functions to recover a chat after a failed request, a stop, or an answer given elsewhere. Each loads the
 * stored chat, and compares it with what the page shows now.
 */
export function createChatRecovery<Message extends UIMessage>(
  { chat, answers, failure, feed, api, fetch, setFailure, giveAgain }: RecoverySettings<Message>,
  words: ChatWords,
  messagesNow: () => Message[],
  isBusy: () => boolean,
) {
  const load = (): Promise<LoadedChat<Message>> => loadChat<Message>(chat.id, { api, fetch });
  const shownId = () => openPartOf(messagesNow())?.approval.id;

  const adopt = async ({ messages, drafts, questions, open, run }: StoredChat<Message>): Promise<void> => {
    if (open !== undefined) answers.askedAgain(open);
    chat.clearError();
    setFailure((now) => (now?.kind === 'unconfirmed' || now?.kind === 'not-received' ? undefined : now));
    feed({ type: 'restored', drafts, questions, messages, over: messagesNow() });
    const unsent = unsentIn(messagesNow()).filter(({ id }) => messages.every((stored) => stored.id !== id));
    chat.setMessages([...messages, ...unsent]);
    if (unsent.length > 0) setFailure((now) => now ?? unsentFailure(words));
    if (run.status === 'active' || run.status === 'waiting') await chat.resumeStream();
  };

  const synchronize = async (): Promise<void> => {
    const loaded = await load();
    if (loaded.type === 'loaded') await adopt(loaded.chat);
  };

  const refresh = async (): Promise<void> => {
    const before = messagesNow();
    const loaded = await load();
    if (loaded.type !== 'loaded') return;
    for (const question of loaded.chat.questions) feed({ type: 'settled', question });
    // Messages that changed meanwhile are newer than the loaded ones.
    if (messagesNow() === before) chat.setMessages(loaded.chat.messages);
  };

  const reread = async (messageId: string): Promise<void> => {
    const loaded = await load();
    if (loaded.type !== 'loaded') return;
    for (const question of loaded.chat.questions) feed({ type: 'settled', question });
    const changed = loaded.chat.messages.find(({ id }) => id === messageId);
    // The others may be older than those of the response that is being read.
    if (changed)
      chat.setMessages((now) => now.map((message) => (message.id === messageId ? changed : message)));
  };

  const catchUp = async (said?: string): Promise<void> => {
    const loaded = await load();
    if (loaded.type !== 'loaded' || isBusy()) return;
    const stored = loaded.chat;
    if (stored.open !== undefined && answers.unconfirmed([stored.open]).length > 0)
      return setFailure(answerFailure('not-received', words, said));
    const next = nextStep(stored, messagesNow());
    if (next === 'send-again') {
      // What the message did not cancel is still held back: its draft was dropped when the message was sent.
      const { drafts, questions } = stored;
      feed({ type: 'restored', drafts, questions, messages: messagesNow(), over: messagesNow() });
      return setFailure((now) => now && unsentFailure(words));
    }
    if (next === 'run-again' || isShown(stored, messagesNow(), shownId())) return;
    setFailure(undefined);
    await adopt(stored);
  };

  const askAgain = async (unconfirmed: readonly string[], said?: string): Promise<void> => {
    const before = messagesNow();
    const messages = askedAgain(before, unconfirmed);
    for (const id of unconfirmed) answers.askedAgain(id);
    setFailure(answerFailure('unconfirmed', words, said));
    feed({ type: 'reopened', messages, over: before });
    chat.setMessages(messages);
    // The SDK sets the status `error` when the handler of the error has returned.
    await Promise.resolve();
    chat.clearError();
    await catchUp(said);
  };

  /** Sends the message by its own id: a regenerate would not start a chat. */
  const sendAgain = async (): Promise<void> => {
    const unsent = chat.messages.findLast(({ role }) => role === 'user');
    if (unsent) await chat.sendMessage({ ...unsent, messageId: unsent.id });
  };

  const repeat = async (): Promise<void> => {
    // An answer can be repeated: only the first one counts (H10).
    const unconfirmed = answers.of(shownId() ?? '');
    if (unconfirmed && (failure === 'unconfirmed' || failure === 'not-received'))
      return giveAgain(unconfirmed);
    const loaded = await load();
    if (loaded.type === 'failed') return setFailure(networkFailure(words));
    setFailure(undefined);
    const next = nextStep(loaded.type === 'loaded' ? loaded.chat : undefined, chat.messages);
    if (next === 'send-again') return sendAgain();
    if (loaded.type !== 'loaded') return;
    await adopt(loaded.chat);
    if (next === 'run-again') await chat.regenerate();
  };

  return { synchronize, refresh, reread, catchUp, askAgain, repeat };
}

/** Whether the page shows the stored chat already: it waits for the same question, or has as many messages at rest. */
function isShown(
  { open, run, messages }: StoredChat,
  shown: readonly UIMessage[],
  openId: string | undefined,
): boolean {
  if (open !== openId || run.status === 'active') return false;
  return messages.length === shown.length && unsettledAnswers(shown).length === 0;
}
