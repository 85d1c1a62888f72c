'use client';

import * as bidi from 'countersign/bidi';
import {
  ApprovalCard,
  type OutcomeToRecord,
  type StoredChat,
  ToolCard,
  textOf,
  useApprovalChat,
  useChatFromUrl,
} from 'countersign/react';
import * as sse from 'countersign/sse';
import { useState } from 'react';

const modes = {
  sse: { transport: sse.createSseTransport(), sendAutomaticallyWhen: sse.sendAutomaticallyWhen },
  bidi: { transport: bidi.createBidiTransport(), sendAutomaticallyWhen: bidi.sendAutomaticallyWhen },
};

/** The chat that the URL names: `?chat=…`. The questions of all chats are at `/inbox`. */
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

/** A chat over either transport. */
function Chat({ stored }: { stored: StoredChat }) {
  const [mode, setMode] = useState<keyof typeof modes>('bidi');
  const chat = useApprovalChat({ stored, ...modes[mode] });
  const [text, setText] = useState('');
  return (
    <main>
      {chat.messages.map((message) =>
        message.role === 'user' ? (
          <p key={message.id}>{textOf(message)}</p>
        ) : (
          chat.itemsOf(message).map((item) => {
            if (item.type === 'call') {
              const { call } = item;
              const resolve = (outcome: OutcomeToRecord) => chat.resolveOutcome(call.toolCallId, outcome);
              return <ToolCard key={item.key} call={call} onResolve={resolve} />;
            }
            if (item.type !== 'question') return <p key={item.key}>{item.text}</p>;
            const { question, answer } = chat;
            return question && <ApprovalCard key={item.key} question={question} onAnswer={answer} />;
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
