import { Chat } from '@ai-sdk/react';
import { type ChatTransport, isToolUIPart, type UIMessage, type UIMessageChunk } from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { openQuestions } from 'countersign/testing';

/** The library's two client transports. */
export type ClientMode = 'SSE' | 'BIDI';
export const clientModes: readonly ClientMode[] = ['SSE', 'BIDI'];

type Stored = { messages: UIMessage[]; run: { status: string }; open?: string };
type Connection = ChatTransport<UIMessage> & { readonly resumeStreamIsReplay?: boolean };

/**
 * A user who keeps trying: the SDK's `Chat` on a transport of the library with its predicate. After each break it
 * reconnects like the app's own client, and sends again what was not acknowledged.
 */
export function persistentClient(mode: ClientMode, chatId: string) {
  let url = '';
  let transport: Connection = connect(mode, url);
  let failure: Error | undefined;
  let ended = Promise.withResolvers<void>();
  const acknowledged = new Set<string>();

  const delegate: Connection = {
    // The SDK reads this when it resumes. The transport does not change within a test.
    resumeStreamIsReplay: transport.resumeStreamIsReplay,
    async sendMessages(options) {
      const sent = newsIn(options.messages);
      const chunks = await transport.sendMessages(options);
      return chunks.pipeThrough(
        onFirst(() => {
          for (const id of sent) acknowledged.add(id);
        }),
      );
    },
    reconnectToStream: (options) => transport.reconnectToStream(options),
  };
  const chat = new Chat<UIMessage>({
    id: chatId,
    transport: delegate,
    sendAutomaticallyWhen: mode === 'SSE' ? sse.sendAutomaticallyWhen : bidi.sendAutomaticallyWhen,
    onFinish: () => ended.resolve(),
    onError: () => {},
  });

  /** Makes one request, and waits for the end of its response. */
  async function request(act: () => Promise<unknown>): Promise<void> {
    await act();
    failure = chat.status === 'error' ? chat.error : undefined;
  }

  async function stored(): Promise<Stored | undefined> {
    const response = await fetch(`${url}/api/chat/${chatId}`);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The chat could not be read: ${await response.text()}`);
    return response.json();
  }

  return {
    chat,
    stored,
    /** The ids of messages and questions acknowledged by a first chunk. */
    acknowledged: acknowledged as ReadonlySet<string>,
    /** The error of the last request. */
    get failure() {
      return failure;
    },
    /** The open question, if any. */
    get question(): string | undefined {
      return openQuestions(chat.messages)[0]?.approvalId;
    },
    /** Whether a server responds at the address. */
    reaches: () =>
      stored().then(
        () => true,
        () => false,
      ),
    /** Sends further requests to this address. */
    moveTo(address: string): void {
      url = address;
      transport = connect(mode, url);
    },
    say: (text: string) => request(() => chat.sendMessage({ text })),
    answer: (id: string, approved: boolean) =>
      request(async () => {
        ended = Promise.withResolvers();
        await chat.addToolApprovalResponse({ id, approved });
        // The predicate sends it, so there is no promise of that request to await.
        await ended.promise;
      }),
    /** Reconnects after a break: sends an unacknowledged answer or message again, or follows the chat. */
    async reconnect(): Promise<void> {
      const unsent = newsIn(chat.messages).some((id) => !acknowledged.has(id));
      if (unsent && chat.messages.at(-1)?.role === 'assistant') return request(() => chat.sendMessage());
      const known = await stored();
      const lastUser = chat.messages.findLast(({ role }) => role === 'user');
      if (lastUser && !known?.messages.some(({ id }) => id === lastUser.id)) {
        return request(() => chat.sendMessage({ ...lastUser, messageId: lastUser.id }));
      }
      if (!known) return;
      chat.clearError();
      chat.messages = known.messages;
      if (known.run.status === 'active' || known.run.status === 'waiting')
        return request(() => chat.resumeStream());
      failure = undefined;
    },
  };
}

/** @see persistentClient */
export type PersistentClient = ReturnType<typeof persistentClient>;

function connect(mode: ClientMode, url: string): Connection {
  const api = `${url}/api/chat`;
  return mode === 'SSE'
    ? sse.createSseTransport({ api })
    : bidi.createBidiTransport({ url: `${api}/socket`, api });
}

/** What a request contains: the last message, if a user wrote it, or the answers in it. */
function newsIn(messages: readonly UIMessage[]): string[] {
  const last = messages.at(-1);
  if (last?.role === 'user') return [last.id];
  const parts = last?.parts.filter(isToolUIPart) ?? [];
  return parts.flatMap((part) => (part.state === 'approval-responded' ? [part.approval.id] : []));
}

function onFirst(callback: () => void): TransformStream<UIMessageChunk, UIMessageChunk> {
  let isFirst = true;
  return new TransformStream({
    transform(chunk, controller) {
      if (isFirst) callback();
      isFirst = false;
      controller.enqueue(chunk);
    },
  });
}
