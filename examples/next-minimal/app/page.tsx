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
    <main>
      {chat.messages.map((message) =>
        message.role === 'user' ? (
          <p key={message.id}>{textOf(message)}</p>
        ) : (
          chat.itemsOf(message).map((item) => {
            if (item.type === 'call') return <ToolCard key={item.key} call={item.call} />;
            if (item.type !== 'question') return <p key={item.key}>{item.text}</p>;
            const { question, decide } = chat;
            return question && <ApprovalCard key={item.key} question={question} onDecide={decide} />;
          })
        ),
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void chat.sendMessage({ text });
          setText('');
        }}
      >
        <input value={text} onChange={(event) => setText(event.target.value)} aria-label="Message" />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}
