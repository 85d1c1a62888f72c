import type { ChatRequestOptions, UIMessage } from 'ai';
import { postOutcome } from '../calls/post-outcome.ts';
import type { NewAnswer, Question } from '../question.ts';
import type { AnswerToSend } from '../transport/kept-answers.ts';
import type { Activity } from './activity.ts';
import type { ApprovalChatOptions, ApprovalChatState, ChatActions } from './approval-chat-types.ts';
import type { GivenAnswers } from './live/given-answers.ts';
import type { LiveEvent } from './live/live-parts.ts';
import { answerToSend, answerToShow, openPartsOf } from './open-question.ts';
import type { Additions } from './requests/additions.ts';
import type { ChatRecovery } from './requests/chat-recovery.ts';
import type { SdkChat } from './sdk-chat.ts';

/** What a person's actions need. */
export type ChatActionsSettings<Message extends UIMessage> = {
  readonly chat: SdkChat<Message>;
  readonly answers: GivenAnswers;
  readonly additions: Additions;
  readonly recovery: ChatRecovery;
  readonly options: () => ApprovalChatOptions<Message>;
  /** What the page shows. */
  readonly state: () => ApprovalChatState<Message>;
  readonly feed: (event: LiveEvent) => void;
  readonly did: (changes: Partial<Activity>) => void;
  /** Shows it at once. */
  readonly changed: () => void;
  readonly stop: () => Promise<void>;
};

/** @returns false if the question is already answered: nothing changed */
export type GiveAnswer = (answer: AnswerToSend, options?: ChatRequestOptions, question?: Question) => boolean;

/** A person's actions in a chat. Options that the transport cannot carry throw. */
export function createChatActions<Message extends UIMessage>(
  settings: ChatActionsSettings<Message>,
): ChatActions<Message> & { readonly give: GiveAnswer } {
  const { chat, answers, additions, recovery, options, state, feed, did, changed, stop } = settings;

  const give: GiveAnswer = (answer, requestOptions, question) => {
    if (!answers.give(answer)) return false;
    const { id, approved, reason } = answer;
    feed({ type: 'answered', id, answer: answerToShow(answer, question) });
    additions.add(async () => {
      did({ isAnswering: true });
      const added = chat.addToolApprovalResponse({ id, approved, reason, options: requestOptions });
      changed();
      await added;
      did({ isAnswering: false });
    });
    return true;
  };

  /** Answers a question that the page shows; by default the first one. */
  const answer = (given: NewAnswer, id?: string): boolean => {
    const { messages, question, status } = state();
    const isBusy = status === 'submitted' || status === 'streaming';
    const open = openPartsOf(messages, isBusy).map(({ approval }) => approval.id);
    const answered = id ?? open[0];
    if (answered === undefined || !open.includes(answered)) return false;
    const canCarry = options().transport.keepAnswer !== undefined;
    return give(answerToSend(answered, given, canCarry), undefined, question);
  };

  const addToolOutput: typeof chat.addToolOutput = (output) =>
    new Promise((resolve) => additions.add(() => resolve(chat.addToolOutput(output))));
  const { sendMessage, regenerate, resumeStream, clearError } = chat;
  const { experimental_removeQueuedMessage, experimental_sendQueuedMessageNow } = chat;

  return {
    ...{ sendMessage, regenerate, resumeStream, clearError, addToolOutput, addToolResult: addToolOutput },
    ...{ experimental_removeQueuedMessage, experimental_sendQueuedMessageNow, stop, give, answer },
    addToolApprovalResponse: ({ options: requestOptions, ...response }) =>
      void give(response, requestOptions),
    setMessages(next) {
      answers.allAskedAgain();
      chat.messages = typeof next === 'function' ? next(chat.messages) : next;
      changed();
    },
    approve: (id, given) => answer({ ...given, approved: true }, id),
    deny: (id, given) => answer({ reason: given?.reason, option: given?.option, approved: false }, id),
    async resolveOutcome(toolCallId, outcome) {
      await postOutcome(options(), { chatId: chat.id, toolCallId }, outcome);
      await recovery.refresh();
    },
    async retry() {
      did({ isRetrying: true });
      changed();
      await recovery.repeat().finally(() => did({ isRetrying: false }));
    },
  };
}
