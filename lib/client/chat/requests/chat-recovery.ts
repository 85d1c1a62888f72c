import type { UIMessage } from 'ai';
import { reportMistake } from '../../http/mistake.ts';
import type { AnswerToSend } from '../../transport/kept-answers.ts';
import type { ChatWords } from '../../words/chat-words.ts';
import type { GivenAnswers } from '../live/given-answers.ts';
import type { LiveEvent } from '../live/live-parts.ts';
import { askedAgain, openPartOf, unsentIn, unsettledAnswers } from '../message-parts.ts';
import type { SdkChat } from '../sdk-chat.ts';
import type { LoadedChat, StoredChat } from '../stored-chat.ts';
import {
  answerFailure,
  explainFailure,
  networkFailure,
  type RequestFailure,
  unsentFailure,
} from './explain-failure.ts';
import { nextStep } from './next-step.ts';

/** What recovery needs. */
export type RecoverySettings<Message extends UIMessage> = {
  readonly chat: SdkChat<Message>;
  readonly answers: GivenAnswers;
  readonly feed: (event: LiveEvent) => void;
  readonly load: () => Promise<LoadedChat<Message>>;
  readonly words: () => ChatWords;
  /** Why the last request failed. */
  readonly failure: () => RequestFailure | undefined;
  readonly setFailure: (failure: RequestFailure | undefined) => void;
  /** Sends an answer again, at the person's request. */
  readonly giveAgain: (answer: AnswerToSend) => void;
};

/** @see createChatRecovery */
export type ChatRecovery = ReturnType<typeof createChatRecovery>;

/**
 * Functions to recover a chat after a failed request, a stop, or an answer given elsewhere. Each loads the
 * stored chat, and compares it with what the page shows now. Each may be called at any time; nothing runs twice.
 */
export function createChatRecovery<Message extends UIMessage>(settings: RecoverySettings<Message>) {
  const { chat, answers, feed, load, words, failure, setFailure, giveAgain } = settings;
  const shownId = () => openPartOf(chat.messages)?.approval.id;

  const { adopt, ...reloads } = createReloads(settings);

  /**
   * Compares with the stored chat after a lost connection, and shows what changed. Sends nothing: an answer
   * or a message that the server does not have is kept for the person to resend.
   */
  const catchUp = async (said?: string): Promise<void> => {
    const loaded = await load();
    if (loaded.type !== 'loaded' || chat.isBusy) return;
    const stored = loaded.chat;
    if (stored.open !== undefined && answers.unconfirmed([stored.open]).length > 0)
      return setFailure(answerFailure('not-received', words(), said));
    const next = nextStep(stored, chat.messages);
    if (next === 'send-again') {
      // What the message did not cancel is still held back: its draft was dropped when the message was sent.
      const { drafts, questions } = stored;
      feed({ type: 'restored', drafts, questions });
      return failure() && setFailure(unsentFailure(words()));
    }
    if (next === 'run-again' || isShown(stored, chat.messages, shownId())) return;
    setFailure(undefined);
    await adopt(stored);
  };

  /** Asks the questions of these failed answers again, and checks whether the server has received them. */
  const askAgain = async (unconfirmed: readonly string[], said?: string): Promise<void> => {
    for (const id of unconfirmed) answers.askedAgain(id);
    setFailure(answerFailure('unconfirmed', words(), said));
    chat.messages = askedAgain(chat.messages, unconfirmed);
    // The SDK sets the status `error` when the handler of the error has returned.
    await Promise.resolve();
    chat.clearError();
    await catchUp(said);
  };

  /** A request of the SDK's chat failed. */
  const failed = (error: Error): void => {
    reportMistake(error);
    const explained = explainFailure(error, words());
    const { kind, detail } = explained;
    const unsettled = unsettledAnswers(chat.messages);
    const unconfirmed = answers.unconfirmed(unsettled);
    if (unconfirmed.length > 0 && kind !== 'settled' && kind !== 'refused')
      return void askAgain(unconfirmed, kind === 'network' ? undefined : detail);
    setFailure(explained);
    const isRefused = kind === 'refused' && unsettled.length > 0;
    if (kind !== 'settled' && !isRefused) return;
    answers.replied(unsettled);
    feed({ type: 'refused', ids: unsettled });
    void reloads.synchronize();
  };

  /** Sends the message by its own id: a regenerate would not start a chat. */
  const sendAgain = async (): Promise<void> => {
    const unsent = chat.messages.findLast(({ role }) => role === 'user');
    if (unsent) await chat.sendMessage({ ...unsent, messageId: unsent.id });
  };

  /** Repeats what failed: an answer or a message that was not received, a failed run; or just follows the run. */
  const repeat = async (): Promise<void> => {
    // An answer can be repeated: only the first one counts (H10).
    const unconfirmed = answers.of(shownId() ?? '');
    const kind = failure()?.kind;
    if (unconfirmed && (kind === 'unconfirmed' || kind === 'not-received')) return giveAgain(unconfirmed);
    const loaded = await load();
    if (loaded.type === 'failed') return setFailure(networkFailure(words()));
    setFailure(undefined);
    const next = nextStep(loaded.type === 'loaded' ? loaded.chat : undefined, chat.messages);
    if (next === 'send-again') return sendAgain();
    if (loaded.type !== 'loaded') return;
    await adopt(loaded.chat);
    if (next === 'run-again') await chat.regenerate();
  };

  return { ...reloads, catchUp, failed, repeat };
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

/** Loads what is stored, and shows it. */
function createReloads<Message extends UIMessage>(settings: RecoverySettings<Message>) {
  const { chat, answers, feed, load, words, failure, setFailure } = settings;

  const adopt = async ({ messages, drafts, questions, open, run }: StoredChat<Message>): Promise<void> => {
    if (open !== undefined) answers.askedAgain(open);
    chat.clearError();
    const kind = failure()?.kind;
    if (kind === 'unconfirmed' || kind === 'not-received') setFailure(undefined);
    const unsent = unsentIn(chat.messages).filter(({ id }) => messages.every((stored) => stored.id !== id));
    if (unsent.length > 0 && !failure()) setFailure(unsentFailure(words()));
    feed({ type: 'restored', drafts, questions });
    chat.messages = [...messages, ...unsent];
    if (run.status === 'active' || run.status === 'waiting') await chat.resumeStream();
  };

  /** Loads the stored chat and follows its run, if one is active or waiting. */
  const synchronize = async (): Promise<void> => {
    const loaded = await load();
    if (loaded.type === 'loaded') await adopt(loaded.chat);
  };

  /** Loads the stored messages only: what is known about a call has changed. */
  const refresh = async (): Promise<void> => {
    const before = chat.messages;
    const loaded = await load();
    if (loaded.type !== 'loaded') return;
    for (const question of loaded.chat.questions) feed({ type: 'settled', question });
    // Messages that have changed since are newer than the loaded ones.
    if (chat.messages === before) chat.messages = loaded.chat.messages;
  };

  /** Loads one message that has changed: a new message may change the turn before it (H8, T16). */
  const reread = async (messageId: string): Promise<void> => {
    const loaded = await load();
    if (loaded.type !== 'loaded') return;
    for (const question of loaded.chat.questions) feed({ type: 'settled', question });
    const changed = loaded.chat.messages.find(({ id }) => id === messageId);
    // The others may be older than those of the response that is being read.
    if (changed) chat.messages = chat.messages.map((each) => (each.id === messageId ? changed : each));
  };

  return { adopt, synchronize, refresh, reread };
}
