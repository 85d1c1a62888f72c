import { useChat } from '@ai-sdk/react';
import {
  type ChatTransport,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  type UIMessage,
  WebSocketChatTransport,
} from 'ai';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

// A page as public chat templates have it, with nothing of this library: its own predicate, what it sends, an editor that changes
// the list, buttons in every message, and chats that others may read. Only `onData` was added when it was moved.

const query = new URLSearchParams(location.search);
const id = query.get('chat') ?? 'chat';

type Part = UIMessage['parts'][number];

function isApproved(part: Part): boolean {
  return isToolUIPart(part) && part.state === 'approval-responded' && part.approval.approved;
}

function isDecided(part: Part): boolean {
  return isToolUIPart(part) && (part.state === 'approval-responded' || part.state === 'output-denied');
}

/** The whole list after an answer, and otherwise only the new message. The trigger is not sent. */
function sentOf(messages: UIMessage[]): { message?: UIMessage; messages?: UIMessage[] } {
  const last = messages.at(-1);
  const continues = last?.role !== 'user' || messages.some(({ parts }) => parts.some(isDecided));
  return continues ? { messages } : { message: last };
}

const overHttp = () =>
  new DefaultChatTransport<UIMessage>({
    api: '/api/chat',
    prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, ...sentOf(messages) } }),
  });
const overSocket = () =>
  new WebSocketChatTransport<UIMessage>({
    url: '/api/chat/socket',
    prepareSendMessagesRequest({ messages }) {
      const { messages: all = [], ...body } = sentOf(messages);
      return { messages: all, body };
    },
  });
const transport: ChatTransport<UIMessage> = query.get('over') === 'socket' ? overSocket() : overHttp();

async function load(): Promise<{ messages: UIMessage[]; mayWrite: boolean } | undefined> {
  const response = await fetch(`/api/chat/${id}`);
  if (response.ok) return { messages: (await response.json()).messages, mayWrite: !query.has('reader') };
  return query.has('reader') ? undefined : { messages: [], mayWrite: true };
}

function Chat({ initial, mayWrite }: { initial: UIMessage[]; mayWrite: boolean }) {
  const { messages, setMessages, sendMessage, regenerate, addToolApprovalResponse, error } = useChat({
    id,
    messages: initial,
    transport,
    sendAutomaticallyWhen: ({ messages }) => messages.at(-1)?.parts.some(isApproved) ?? false,
    onData: ({ type, data }) =>
      void (type === 'data-message-changed' && reread(data as { messageId: string })),
  });
  const [text, setText] = useState('');

  async function reread({ messageId }: { messageId: string }) {
    const changed = (await load())?.messages.find(({ id }) => id === messageId);
    if (changed) setMessages((now) => now.map((message) => (message.id === messageId ? changed : message)));
  }

  function edit(message: UIMessage, text: string) {
    setMessages((now) => [
      ...now.slice(0, now.indexOf(message)),
      { ...message, parts: [{ type: 'text', text }] },
    ]);
    void regenerate();
  }

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part) => {
            if (part.type === 'text') return <p key={part.text}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            const isAsked = part.state === 'approval-requested' && part.approval.isAutomatic !== true;
            const decide = (approved: boolean) => () =>
              addToolApprovalResponse({ id: part.approval?.id ?? '', approved });
            return (
              <section key={part.toolCallId}>
                {getToolName(part)} {JSON.stringify(part.input)}: {part.state}
                {isAsked && mayWrite && (
                  <button type="button" onClick={decide(true)}>
                    Allow
                  </button>
                )}
                {isAsked && mayWrite && (
                  <button type="button" onClick={decide(false)}>
                    Deny
                  </button>
                )}
              </section>
            );
          })}
          {mayWrite && message.role === 'user' && (
            <Editor message={message} onEdit={(text) => edit(message, text)} />
          )}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      {mayWrite && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void sendMessage({ text });
            setText('');
          }}
        >
          <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        </form>
      )}
    </main>
  );
}

function Editor({ message, onEdit }: { message: UIMessage; onEdit: (text: string) => void }) {
  const [draft, setDraft] = useState<string>();
  if (draft === undefined)
    return (
      <button type="button" onClick={() => setDraft('')}>
        Edit
      </button>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setDraft(undefined);
        onEdit(draft);
      }}
    >
      <input
        aria-label={`Edit ${message.id}`}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
    </form>
  );
}

const loaded = await load();
createRoot(document.body).render(
  loaded ? <Chat initial={loaded.messages} mayWrite={loaded.mayWrite} /> : <p>Chat not found</p>,
);
