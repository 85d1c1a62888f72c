'use client';

import { useRef } from 'react';
import { AssistantMessage } from '../_messages/assistant-message.tsx';
import type { ChatMessage } from '../_messages/chat-message.ts';
import { UserMessage } from '../_messages/user-message.tsx';
import styles from './transcript.module.css';
import { useFollowBottom } from './use-follow-bottom.ts';
import type { PageChat } from './use-page-chat.ts';

/** All messages of a chat, the newest in view. */
export function Transcript({ chat }: { chat: PageChat }) {
  const area = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const messages = withPendingAnswer(chat);
  useFollowBottom(area, content, messages.filter((message) => message.role === 'user').length);
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  return (
    <section
      className={styles.area}
      ref={area}
      tabIndex={-1}
      data-yields-focus=""
      data-conversation=""
      aria-label="Conversation"
    >
      <div className={styles.column} ref={content}>
        {messages.map((message, index) =>
          message.role === 'user' ? (
            <UserMessage
              key={message.id}
              message={message}
              onEdit={
                index === lastUser && chat.phase !== 'running'
                  ? (text) => void chat.sendMessage({ text, messageId: message.id })
                  : undefined
              }
            />
          ) : (
            <AssistantMessage
              key={turnKey(index)}
              message={message}
              chat={chat}
              isCurrent={index === messages.length - 1}
            />
          ),
        )}
      </div>
    </section>
  );
}

/** An answer begins before the server names it; it keeps its place, and its key, when it gets its id. */
function withPendingAnswer({ messages, phase }: PageChat): readonly ChatMessage[] {
  if (phase !== 'running' || messages.at(-1)?.role === 'assistant') return messages;
  return [...messages, { id: 'pending', role: 'assistant', parts: [] }];
}

function turnKey(index: number): string {
  return `turn-${index}`;
}
