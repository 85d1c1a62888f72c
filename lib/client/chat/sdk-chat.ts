import { AbstractChat, type ChatInit, type ChatState, type ChatStatus, type UIMessage } from 'ai';

/** What changes: messages, which grow in small steps, or anything else. */
type Changed = (what: 'messages' | 'status') => void;

/** The SDK's chat, which reports its changes. The SDK has such a class for each framework, and none without. */
export class SdkChat<Message extends UIMessage> extends AbstractChat<Message> {
  /** Not in the SDK's types. Its own hook calls it when a hidden page is shown again. */
  declare readonly '~resumeStreamIfDisconnected'?: (options: {
    shouldResume: () => boolean;
  }) => Promise<void>;

  constructor({ messages, ...init }: ChatInit<Message>, changed: Changed) {
    super({ ...init, state: new ObservedState(messages ?? [], changed) });
  }

  get isBusy(): boolean {
    return this.status === 'submitted' || this.status === 'streaming';
  }
}

class ObservedState<Message extends UIMessage> implements ChatState<Message> {
  #messages: Message[];
  #status: ChatStatus = 'ready';
  #error: Error | undefined;
  #queued: Message[] = [];
  readonly #changed: Changed;

  constructor(messages: Message[], changed: Changed) {
    this.#messages = messages;
    this.#changed = changed;
  }

  get messages(): Message[] {
    return this.#messages;
  }
  set messages(messages: Message[]) {
    this.#messages = [...messages];
    this.#changed('messages');
  }

  get status(): ChatStatus {
    return this.#status;
  }
  set status(status: ChatStatus) {
    this.#status = status;
    this.#changed('status');
  }

  get error(): Error | undefined {
    return this.#error;
  }
  set error(error: Error | undefined) {
    this.#error = error;
    this.#changed('status');
  }

  get experimental_queuedMessages(): Message[] {
    return this.#queued;
  }
  set experimental_queuedMessages(queued: Message[]) {
    this.#queued = queued;
    this.#changed('status');
  }

  pushMessage = (message: Message): void => {
    this.messages = [...this.#messages, message];
  };

  popMessage = (): void => {
    this.messages = this.#messages.slice(0, -1);
  };

  replaceMessage = (index: number, message: Message): void => {
    const messages = [...this.#messages];
    messages[index] = copied(message);
    this.messages = messages;
  };

  /** The SDK passes a message, or nothing. */
  snapshot = <Value>(value: Value): Value => copied(value);
}

/** The SDK changes the parts of a message in place while it grows. */
function copied<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || !('parts' in value) || !Array.isArray(value.parts))
    return value;
  return { ...value, parts: value.parts.map((part) => ({ ...part })) };
}
