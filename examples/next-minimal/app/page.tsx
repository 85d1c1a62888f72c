'use client';

import {
  ApprovalCard,
  type StoredChat,
  ToolCard,
  textOf,
  useApprovalChat,
  useChatFromUrl,
} from 'countersign/react';
import { createSseTransport, sendAutomaticallyWhen } from 'countersign/sse';
import { useState } from 'react';

const transport = createSseTransport();
const column = {
  display: 'flex',
  flexDirection: 'column',
  gap: 12,
  width: 'min(100% - 32px, 720px)',
  margin: '16px auto',
} as const;

/** The chat that the URL names: `?chat=…`, so a reload shows it again. */
export default function Page() {
  const loading = useChatFromUrl();
  if (loading.type === 'failed') {
    return (
      <button type="button" onClick={loading.again}>
        Try again
      </button>
    );
  }
  return loading.type === 'ready' && <Chat key={loading.chat.id} stored={loading.chat} />;
}

function Chat({ stored }: { stored: StoredChat }) {
  const chat = useApprovalChat({ stored, transport, sendAutomaticallyWhen });
  const [text, setText] = useState('');
  return (
    <main style={column}>
      {chat.messages.map((message) =>
        message.role === 'user' ? (
          <p key={message.id}>{textOf(message)}</p>
        ) : (
          chat.itemsOf(message).map((item) => {
            if (item.type === 'call') return <ToolCard key={item.key} call={item.call} />;
            if (item.type !== 'question') return <p key={item.key}>{item.text}</p>;
            const { question, answer } = chat;
            return question && <ApprovalCard key={item.key} question={question} onAnswer={answer} />;
          })
        ),
      )}
      {chat.failure && (
        <p role="alert">
          {chat.failure.title}: {chat.failure.detail}
        </p>
      )}
      <form
        style={{ display: 'flex', gap: 8 }}
        onSubmit={(event) => {
          event.preventDefault();
          void chat.sendMessage({ text });
          setText('');
        }}
      >
        <input
          style={{ flex: 1 }}
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label="Message"
        />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}
