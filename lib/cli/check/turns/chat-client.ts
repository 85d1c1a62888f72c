import {
  AbstractChat,
  type ChatState,
  type ChatTransport,
  getToolName,
  isToolUIPart,
  type UIMessage,
} from 'ai';
import { createChatId } from '../../../protocol/ids/chat-id.ts';
import { isConfirmationCall } from '../../../protocol/parts.ts';

/** A call as shown in the client's message. */
export type ShownCall = { readonly toolCallId: string; readonly toolName: string };

/** A question as shown in the client's message. */
export type OpenQuestion = ShownCall & { readonly approvalId: string };

/** A chat like that of `useChat`: the SDK's own class over plain state. It sends only on request. */
export class ChatClient extends AbstractChat<UIMessage> {
  /** @param history the messages of an existing chat; default: a new chat */
  constructor(
    transport: ChatTransport<UIMessage>,
    history: { readonly id: string; readonly messages: readonly UIMessage[] } = {
      id: newChatId(),
      messages: [],
    },
  ) {
    super({ id: history.id, transport, state: plainState(history.messages) });
  }

  /** The open questions of the last message. */
  openQuestions(): OpenQuestion[] {
    const { lastMessage } = this;
    if (lastMessage?.role !== 'assistant') return [];
    return lastMessage.parts.flatMap((part) => {
      if (!isToolUIPart(part) || part.state !== 'approval-requested') return [];
      if (part.approval.isAutomatic === true) return [];
      return [{ approvalId: part.approval.id, toolCallId: part.toolCallId, toolName: getToolName(part) }];
    });
  }

  /** The calls of the last message that the client must execute without approval. */
  handedOver(): ShownCall[] {
    return this.#callsIn('input-available');
  }

  /** The calls of the last message that were approved or handed over but have no outcome. */
  withoutOutcome(): ShownCall[] {
    return [...this.#callsIn('input-available'), ...this.#callsIn('approval-responded')];
  }

  #callsIn(state: 'input-available' | 'approval-responded'): ShownCall[] {
    const { lastMessage } = this;
    if (lastMessage?.role !== 'assistant') return [];
    return lastMessage.parts.flatMap((part) => {
      if (!isToolUIPart(part) || part.state !== state || part.providerExecuted) return [];
      // It never ends itself: its only purpose is to ask.
      if (isConfirmationCall(part)) return [];
      return [{ toolCallId: part.toolCallId, toolName: getToolName(part) }];
    });
  }
}

/** An unused chat id. */
export function newChatId(): string {
  return `check-${createChatId()}`;
}

function plainState(messages: readonly UIMessage[]): ChatState<UIMessage> {
  const state: ChatState<UIMessage> = {
    status: 'ready',
    error: undefined,
    messages: structuredClone([...messages]),
    pushMessage: (message) => {
      state.messages = [...state.messages, message];
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1);
    },
    replaceMessage: (index, message) => {
      state.messages = state.messages.with(index, structuredClone(message));
    },
    snapshot: (value) => structuredClone(value),
  };
  return state;
}
