import type { ChatInit, UIMessage } from 'ai';
import type { MessageChangedJson } from '../../protocol/wire/chat/message-changed.ts';
import { object, text } from '../http/read-wire.ts';
import { readApprovalFeed } from '../inbox/feed/read-approval-feed.ts';
import { ComputedStore, keptFor, type StateStore } from '../state-store.ts';
import { type ChatWords, defaultChatWords } from '../words/chat-words.ts';
import { type Activity, atFirst, connectionOf } from './activity.ts';
import type { ApprovalChatOptions, ApprovalChatState } from './approval-chat-types.ts';
import { createChatActions } from './chat-actions.ts';
import { callsOf } from './chat-items.ts';
import { phaseOf } from './chat-phase.ts';
import { chatView } from './chat-view.ts';
import { createGivenAnswers } from './live/given-answers.ts';
import { initialLiveParts, type LiveEvent, type LiveParts, reduceLiveParts } from './live/live-parts.ts';
import { askedAgain } from './message-parts.ts';
import { openPartsOf, openQuestionOf } from './open-question.ts';
import { observePage } from './page-events.ts';
import { createChangeReader } from './remote-changes.ts';
import { type Additions, createAdditions } from './requests/additions.ts';
import { type ChatRecovery, createChatRecovery } from './requests/chat-recovery.ts';
import { explainFailure, unsentFailure } from './requests/explain-failure.ts';
import { messagesDuringReplay } from './requests/messages-during-replay.ts';
import { isAboutAnswer } from './requests/request-failure.ts';
import { type RequestKind, watchedTransport } from './requests/watched-transport.ts';
import { SdkChat } from './sdk-chat.ts';
import { loadChat } from './stored-chat.ts';

const defaultThrottleMs = 40;

const readChanged = object<MessageChangedJson>({ messageId: text });

/**
 * One chat with approvals: the SDK's chat with the open question and its answers, the draft, the states of calls, answers given
 * elsewhere, stop and recovery. A store, for any framework: with its first listener it resumes the run and follows the feed, with
 * its last it stops reading. `useApprovalChat` is the same for React.
 *
 * Everything works over `createSseTransport` and `createBidiTransport`. Over another transport of the SDK, approvals cannot be
 * edited or remembered, and `stop` does not stop the run. With a server that lacks our data parts and APIs, there is no draft,
 * recovery only resends, and the states of calls come from their parts.
 *
 * @source H1-H13, P1-P8, T6
 */
export class ApprovalChat<Message extends UIMessage = UIMessage>
  implements StateStore<ApprovalChatState<Message>>
{
  readonly getState: () => ApprovalChatState<Message>;
  readonly subscribe: (onChange: () => void) => () => void;

  readonly #store: ComputedStore<ApprovalChatState<Message>>;
  readonly #chat: SdkChat<Message>;
  readonly #answers = createGivenAnswers();
  readonly #actions: ReturnType<typeof createChatActions<Message>>;
  readonly #additions: Additions;
  readonly #recovery: ChatRecovery;
  readonly #changes: ReturnType<typeof createChangeReader>;
  readonly #questionOf = keptFor(openQuestionOf<Message>);
  #options: ApprovalChatOptions<Message>;
  #live: LiveParts;
  #activity: Activity = atFirst;
  #lastRequest: RequestKind = 'turn';
  /** The messages that the page shows: during a replay, those before it. */
  #shown: Message[] = [];
  #wasBusy = false;
  #unfollow: (() => void) | undefined;

  constructor(options: ApprovalChatOptions<Message>) {
    this.#options = options;
    this.#live = initialLiveParts(options.stored);
    this.#store = new ComputedStore(
      () => this.#compute(),
      () => this.#open(),
    );
    this.getState = this.#store.getState;
    this.subscribe = this.#store.subscribe;
    this.#chat = new SdkChat(this.#sdkOptions(), (what) => this.#onSdkChange(what));
    const feed = (event: LiveEvent) => this.#feed(event);
    this.#recovery = createChatRecovery<Message>({
      ...{ chat: this.#chat, answers: this.#answers, feed },
      load: () => loadChat<Message>(this.#chat.id, this.#options),
      words: () => this.#words(),
      failure: () => this.#activity.failure,
      setFailure: (failure) => this.#did({ failure }),
      giveAgain: (answer) => void this.#actions.give(answer),
    });
    this.#additions = createAdditions({
      chat: this.#chat,
      isReplaying: () => this.#isReplaying() || this.#activity.isResuming,
      onReturned: () => this.#did({ failure: this.#activity.failure ?? unsentFailure(this.#words()) }),
    });
    const { synchronize, catchUp } = this.#recovery;
    this.#changes = createChangeReader({
      ...{ chat: this.#chat, feed, synchronize, catchUp },
      isAtRest: () => this.#isAtRest(),
      onLost: (isFeedLost) => this.#did({ isFeedLost }),
      // Also if its run is resumed: the response may end before the feed begins.
      isBehind: (options.stored?.messages.length ?? 0) > 0,
    });
    this.#actions = createChatActions<Message>({
      ...{
        chat: this.#chat,
        answers: this.#answers,
        additions: this.#additions,
        recovery: this.#recovery,
        feed,
      },
      options: () => this.#options,
      state: this.getState,
      did: (changes) => this.#did(changes),
      changed: () => this.#store.changed(),
      stop: () => this.#stop(),
    });
  }

  /** Replaces the options. `id`, `messages`, `stored` and `resume` are read once, at the start. */
  setOptions(options: ApprovalChatOptions<Message>): void {
    const before = this.#options;
    const couldCarry = this.#canCarry();
    this.#options = options;
    if (this.#unfollow && (before.feed !== options.feed || before.approvalsApi !== options.approvalsApi)) {
      this.#unfollow();
      this.#unfollow = this.#follow();
    }
    // Each rendering brings new options, so only what changes the state may report a change.
    const hasSameTools = String(before.clientTools) === String(options.clientTools);
    if (couldCarry !== this.#canCarry() || !hasSameTools) this.#store.changed();
  }

  #compute(): ApprovalChatState<Message> {
    const { id, status, error, isBusy, experimental_queuedMessages } = this.#chat;
    const { failure, isStopping, isAnswering } = this.#activity;
    const messages = this.#isReplaying()
      ? messagesDuringReplay(this.#shown, this.#chat.messages)
      : this.#chat.messages;
    this.#shown = messages;
    const clientTools = new Set(this.#options.clientTools);
    const phase = phaseOf({ status, messages, failure, isActing: isStopping || isAnswering, clientTools });
    const question = this.#questionOf(
      openPartsOf(messages, isBusy)[0],
      id,
      this.#canCarry(),
      this.#live.changed,
    );
    const { give: _, ...actions } = this.#actions;
    return {
      ...actions,
      ...{ id, messages, status, error, experimental_queuedMessages, phase, question, failure },
      ...chatView(messages, this.#live, phase),
      tools: callsOf(messages, this.#live),
      lastAnswer: question && this.#answers.of(question.id),
      connection: connectionOf(this.#activity),
    };
  }

  /** With the first listener. */
  #open(): () => void {
    const chat = this.#chat;
    const endObserving = observePage({
      onNetwork: (hasNetwork) => this.#did({ hasNetwork }),
      onOnline: () => void (this.#activity.failure && this.#recovery.catchUp()),
      onVisible: (shouldResume) =>
        void (this.#resumes && chat['~resumeStreamIfDisconnected']?.({ shouldResume }).catch(() => {})),
    });
    this.#unfollow = this.#follow();
    if (this.#resumes && !chat.isBusy) void chat.resumeStream();
    return () => {
      endObserving();
      this.#unfollow?.();
      this.#unfollow = undefined;
      void chat.stop();
    };
  }

  /** Whether a run of the stored chat is to be followed. */
  get #resumes(): boolean {
    const { resume, stored } = this.#options;
    return resume ?? (stored?.run.status === 'active' || stored?.run.status === 'waiting');
  }

  #follow(): () => void {
    const { feed = true, approvalsApi = '/api/approvals' } = this.#options;
    const { reader } = this.#changes;
    if (typeof feed === 'function') return feed(reader);
    const fetch: typeof globalThis.fetch = (...request) =>
      (this.#options.fetch ?? globalThis.fetch)(...request);
    return feed ? readApprovalFeed({ api: approvalsApi, fetch }, reader) : () => {};
  }

  #sdkOptions(): ChatInit<Message> {
    const { stored, transport: _, ...init } = this.#options;
    return {
      ...init,
      id: init.id ?? stored?.id,
      // Stored and replayed messages come from the server.
      messages:
        init.messages && !this.#resumes ? askedAgain(init.messages) : (init.messages ?? stored?.messages),
      transport: watchedTransport(() => this.#options.transport, {
        began: (kind) => this.#began(kind),
        resuming: (isResuming) => {
          this.#did({ isResuming });
          if (!isResuming) this.#settle();
        },
        replied: this.#answers.replied,
        acknowledged: (ids) => this.#feed({ type: 'acknowledged', ids }),
        leftOpen: (id) => this.#feed({ type: 'left-open', id }),
        answers: this.#answers.all,
        asked: this.#answers.askedAgain,
      }),
      sendAutomaticallyWhen: (chat) => this.#options.sendAutomaticallyWhen(chat),
      onToolCall: (call) => this.#options.onToolCall?.(call),
      onFinish: (response) => this.#options.onFinish?.(response),
      onData: (part) => {
        const changed = part.type === 'data-message-changed' ? readChanged(part.data) : undefined;
        if (changed) void this.#recovery.reread(changed.messageId);
        else this.#feed({ type: 'received', part });
        this.#options.onData?.(part);
      },
      onError: (error) => {
        this.#recovery.failed(error);
        this.#options.onError?.(error);
      },
    };
  }

  #began(kind: RequestKind): void {
    this.#lastRequest = kind;
    const { failure } = this.#activity;
    // The result of an answer stays while its question is replayed.
    if (!(kind === 'replay' && failure && isAboutAnswer(failure.kind))) this.#did({ failure: undefined });
    this.#feed({ type: kind === 'turn' ? 'turn-began' : 'response-began' });
  }

  #onSdkChange(what: 'messages' | 'status'): void {
    const { isBusy } = this.#chat;
    this.#store.changesSoon(what === 'messages' && isBusy ? this.#throttleMs : 0);
    if (this.#wasBusy && !isBusy) this.#settle();
    this.#wasBusy = isBusy;
  }

  /** After the SDK's own next step: it may send an answer by itself, and is not at rest then. */
  #settle(): void {
    setTimeout(() => {
      this.#additions.rested();
      if (this.#isAtRest()) this.#changes.rested();
    });
  }

  /** Stops the run on the server if the transport can, otherwise stops reading it. */
  async #stop(): Promise<void> {
    const { transport } = this.#options;
    this.#did({ isStopping: true, failure: undefined });
    this.#store.changed();
    try {
      await transport.cancel?.(this.#chat.id);
      await this.#chat.stop();
      if (transport.cancel) await this.#recovery.synchronize();
    } catch (error) {
      const failure = explainFailure(
        error instanceof Error ? error : new Error(String(error)),
        this.#words(),
      );
      this.#did({ failure });
    } finally {
      this.#did({ isStopping: false });
      this.#settle();
    }
  }

  #feed(event: LiveEvent): void {
    this.#live = reduceLiveParts(this.#live, event);
    this.#store.changesSoon(event.type === 'received' ? this.#throttleMs : 0);
  }

  #did(changes: Partial<Activity>): void {
    this.#activity = { ...this.#activity, ...changes };
    this.#store.changesSoon();
  }

  get #throttleMs(): number {
    return this.#options.throttle ?? defaultThrottleMs;
  }

  #isReplaying(): boolean {
    return this.#chat.isBusy && this.#lastRequest === 'replay';
  }

  #isAtRest(): boolean {
    return !this.#chat.isBusy && !this.#activity.isStopping;
  }

  /** Whether the transport can carry edited arguments, options and `remember`. */
  #canCarry(): boolean {
    return this.#options.transport.keepAnswer !== undefined;
  }

  #words(): ChatWords {
    return { ...defaultChatWords, ...this.#options.words };
  }
}
