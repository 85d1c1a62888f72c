import type { UIMessage } from 'ai';
import { isSameJson } from '../../protocol/json.ts';
import { postOutcome } from '../calls/post-outcome.ts';
import { isToolUIPart } from '../calls/tool-part.ts';
import { reportMistake } from '../http/mistake.ts';
import type { FeedReader } from '../inbox/feed/approval-feed-reader.ts';
import { readApprovalFeed } from '../inbox/feed/read-approval-feed.ts';
import type { NewAnswer } from '../question.ts';
import { ComputedStore, keptFor, type StateStore } from '../state-store.ts';
import { defaultChatWords } from '../words/chat-words.ts';
import { atFirst, connectionOf } from './activity.ts';
import type { ApprovalChat } from './approval-chat.ts';
import type { ApprovalChatOptions, ApprovalChatState, ChatActions } from './approval-chat-types.ts';
import { callsOf } from './chat-items.ts';
import { phaseOf } from './chat-phase.ts';
import { chatView } from './chat-view.ts';
import { initialLiveParts } from './live/live-parts.ts';
import { lastReplyIn } from './message-parts.ts';
import { openPartsOf, openQuestionOf } from './open-question.ts';
import { answerFailure, networkFailure, type RequestFailure } from './requests/explain-failure.ts';
import { loadChat, type StoredChat } from './stored-chat.ts';

/** What a chat needs that is more than its stored state. */
export type LiveChatParts<Message extends UIMessage = UIMessage> = Pick<
  ApprovalChatOptions<Message>,
  'transport' | 'sendAutomaticallyWhen'
> & { readonly ApprovalChat: typeof ApprovalChat };

/** The options of `ApprovalChat`; those that need the SDK are loaded. */
export type DeferredChatOptions<Message extends UIMessage = UIMessage> = Omit<
  ApprovalChatOptions<Message>,
  'transport' | 'sendAutomaticallyWhen' | 'stored'
> & {
  readonly stored: StoredChat<Message>;
  /** Loads a module with the SDK. The same function until there is another transport. */
  readonly load: () => Promise<LiveChatParts<Message>>;
};

type Action<Message extends UIMessage> = (chat: ChatActions<Message>) => unknown;

/** What this person does before the SDK is loaded. `undone`: it could not be loaded. */
type Acting<Message extends UIMessage> = {
  readonly isActing: boolean;
  readonly failure?: RequestFailure;
  readonly lastAnswer?: NewAnswer | undefined;
  readonly undone?: Action<Message>;
};

/**
 * A chat that loads the SDK when it is needed: for the first action of this person, or for a run that is followed. Until then, it is what
 * the server has stored, which is read again when the feed reports something about it. From then on, it is an `ApprovalChat`.
 *
 * @source H4, H11
 */
export class DeferredChat<Message extends UIMessage = UIMessage>
  implements StateStore<ApprovalChatState<Message>>
{
  readonly getState: () => ApprovalChatState<Message>;
  readonly subscribe: (onChange: () => void) => () => void;

  readonly #store: ComputedStore<ApprovalChatState<Message>>;
  readonly #actions = this.#createActions();
  readonly #questionOf = keptFor(openQuestionOf<Message>);
  #options: DeferredChatOptions<Message>;
  #stored: StoredChat<Message>;
  #chat: ApprovalChat<Message> | undefined;
  #parts: LiveChatParts<Message> | undefined;
  #loading: Promise<ApprovalChat<Message>> | undefined;
  /** Ends what was begun for the listeners. */
  #leave: (() => void) | undefined;
  #acting: Acting<Message> = { isActing: false };

  constructor(options: DeferredChatOptions<Message>) {
    this.#options = options;
    this.#stored = options.stored;
    this.#store = new ComputedStore(
      () => this.#chat?.getState() ?? this.#compute(),
      () => this.#open(),
    );
    this.getState = this.#store.getState;
    this.subscribe = this.#store.subscribe;
  }

  /** Replaces the options. `id`, `messages`, `stored` and `resume` are read once, at the start. */
  setOptions(options: DeferredChatOptions<Message>): void {
    const { load } = this.#options;
    this.#options = options;
    if (this.#chat && load !== options.load) void this.#apply().catch(reportMistake);
    else if (this.#parts) this.#chat?.setOptions({ ...options, ...this.#parts });
  }

  /** Passes the options on, with the parts that belong to them. */
  async #apply(): Promise<void> {
    const { load } = this.#options;
    const parts = await load();
    if (load !== this.#options.load) return;
    this.#parts = parts;
    this.#chat?.setOptions({ ...this.#options, ...parts });
  }

  #compute(): ApprovalChatState<Message> {
    const { id, messages } = this.#stored;
    const { isActing, failure, lastAnswer } = this.#acting;
    const live = initialLiveParts(this.#stored);
    const phase = phaseOf({
      ...{ status: 'ready', messages, failure, isActing },
      clientTools: new Set(this.#options.clientTools),
    });
    return {
      ...this.#actions,
      ...{ id, messages, status: 'ready', error: undefined, experimental_queuedMessages: [], phase, failure },
      question: this.#questionOf(openPartsOf(messages, false)[0], id, true, live.changed),
      ...chatView(messages, live, phase),
      tools: callsOf(messages, live),
      lastAnswer,
      connection: connectionOf({ ...atFirst, failure }),
    };
  }

  /** With the first listener. */
  #open(): () => void {
    this.#leave = this.#chat?.subscribe(() => this.#store.changed()) ?? this.#follow();
    this.#loadIfLive();
    return () => {
      this.#leave?.();
      this.#leave = undefined;
    };
  }

  /** Until the SDK is loaded. */
  #follow(): () => void {
    const { feed = true, approvalsApi: api = '/api/approvals', fetch } = this.#options;
    const reader: FeedReader = {
      onEvent: ({ question }) => {
        if (question.chatId !== this.#stored.id) return;
        this.#mayBeOutdated();
        void this.#refresh();
      },
      onConnection: (connection) => {
        if (connection === 'lost') this.#mayBeOutdated();
        else if (connection === 'live' && this.#stored.isFromPage) void this.#refresh();
      },
    };
    if (typeof feed === 'function') return feed(reader);
    return feed ? readApprovalFeed({ api, fetch }, reader) : () => {};
  }

  /** An `ApprovalChat` that begins with such a state compares it with the server's. */
  #mayBeOutdated(): void {
    this.#stored = { ...this.#stored, isFromPage: true };
  }

  async #refresh(): Promise<void> {
    if (this.#loading) return;
    const loaded = await loadChat<Message>(this.#stored.id, this.#options);
    if (loaded.type !== 'loaded' || this.#loading) return;
    const { isFromPage: _, ...shown } = this.#stored;
    const isSame = isSameJson(shown, loaded.chat);
    this.#stored = isSame ? shown : loaded.chat;
    if (isSame) return;
    this.#store.changed();
    this.#loadIfLive();
  }

  /** An open question alone needs nothing of its run. What the reports of calls beside it say is not stored. */
  #loadIfLive(): void {
    const { run, messages, open } = this.#stored;
    const calls = lastReplyIn(messages)?.parts.filter(isToolUIPart) ?? [];
    const isQuestionAlone = open !== undefined && calls.length === 1;
    const isLive = run.status === 'active' || (run.status === 'waiting' && !isQuestionAlone);
    if (this.#options.resume ?? isLive) void this.#live().catch((error) => this.#failed(error, () => {}));
  }

  #live(): Promise<ApprovalChat<Message>> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<ApprovalChat<Message>> {
    const { load } = this.#options;
    const parts = await load();
    this.#parts = parts;
    const chat = new parts.ApprovalChat<Message>({ ...this.#options, ...parts, stored: this.#stored });
    this.#chat = chat;
    if (this.#leave) {
      this.#leave();
      this.#leave = chat.subscribe(() => this.#store.changed());
    }
    if (load !== this.#options.load) await this.#apply().catch(reportMistake);
    this.#store.changed();
    return chat;
  }

  async #act(action: Action<Message>, answer?: NewAnswer): Promise<void> {
    this.#did({ isActing: true });
    try {
      const chat = await this.#live();
      await action(chat.getState());
    } catch (error) {
      if (this.#chat) throw error;
      this.#failed(error, action, answer);
    }
  }

  /** The SDK could not be loaded. */
  #failed(error: unknown, undone: Action<Message>, lastAnswer?: NewAnswer): void {
    reportMistake(error);
    const words = { ...defaultChatWords, ...this.#options.words };
    const failure = lastAnswer ? answerFailure('not-received', words) : networkFailure(words);
    this.#did({ isActing: false, failure, lastAnswer, undone });
  }

  #did(acting: Acting<Message>): void {
    this.#acting = acting;
    this.#store.changed();
  }

  #createActions(): ChatActions<Message> {
    const act = (action: Action<Message>) => this.#act(action);
    const answer = (given: NewAnswer, id?: string): boolean => {
      if (this.#chat) return this.#chat.getState().answer(given, id);
      const open = openPartsOf(this.#stored.messages, false).map(({ approval }) => approval.id);
      const answered = id ?? open[0];
      if (this.#acting.isActing || answered === undefined || !open.includes(answered)) return false;
      void this.#act((chat) => chat.answer(given, answered), given);
      return true;
    };
    return {
      answer,
      approve: (id, given) => answer({ ...given, approved: true }, id),
      deny: (id, given) => answer({ reason: given?.reason, option: given?.option, approved: false }, id),
      sendMessage: (...given) => act((chat) => chat.sendMessage(...given)),
      regenerate: (...given) => act((chat) => chat.regenerate(...given)),
      resumeStream: (...given) => act((chat) => chat.resumeStream(...given)),
      addToolResult: (output) => act((chat) => chat.addToolOutput(output)),
      addToolOutput: (output) => act((chat) => chat.addToolOutput(output)),
      addToolApprovalResponse: (response) => act((chat) => chat.addToolApprovalResponse(response)),
      clearError: () => void act((chat) => chat.clearError()),
      experimental_removeQueuedMessage: (id) => void act((chat) => chat.experimental_removeQueuedMessage(id)),
      experimental_sendQueuedMessageNow: (id) => act((chat) => chat.experimental_sendQueuedMessageNow(id)),
      setMessages: (next) => void act((chat) => chat.setMessages(next)),
      stop: () => act((chat) => chat.stop()),
      retry: () => act(this.#acting.undone ?? ((chat) => chat.retry())),
      resolveOutcome: async (toolCallId, outcome) => {
        if (this.#chat) return this.#chat.getState().resolveOutcome(toolCallId, outcome);
        await postOutcome(this.#options, { chatId: this.#stored.id, toolCallId }, outcome);
        await this.#refresh();
      },
    };
  }
}
