'use client';

import * as bidi from 'countersign/bidi';
import { ApprovalCard, ToolCard, textOf, useApprovalChat } from 'countersign/react';
import * as sse from 'countersign/sse';
import { useState } from 'react';

const modes = {
  sse: { transport: sse.createSseTransport(), sendAutomaticallyWhen: sse.sendAutomaticallyWhen },
  bidi: { transport: bidi.createBidiTransport(), sendAutomaticallyWhen: bidi.sendAutomaticallyWhen },
};

/** A chat over either transport. The questions of all chats are at `/inbox`. */
export default function Page() {
  const [mode, setMode] = useState<keyof typeof modes>('bidi');
  const chat = useApprovalChat(modes[mode]);
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
      <button type="button" onClick={() => setMode(mode === 'sse' ? 'bidi' : 'sse')}>
        Now over {mode === 'sse' ? 'SSE' : 'a WebSocket'}: change
      </button>
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
