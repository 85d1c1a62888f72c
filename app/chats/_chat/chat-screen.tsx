'use client';

import { useStoredChat } from 'countersign/react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useState } from 'react';
import layout from '../../_frame/page-layout.module.css';
import { Button } from '../../_ui/button.tsx';
import type { ChatMessage } from '../_messages/chat-message.ts';
import { useFirstMessages } from '../_start/first-message.tsx';
import { ChatHeader } from './chat-header.tsx';
import styles from './chat-screen.module.css';
import { ChatView } from './chat-view.tsx';

/** Shows the chat that the server sent or loads it, or begins the one whose first message was just written. */
export function ChatScreen({ id, sent }: { id: string; sent: unknown }) {
  const first = useFirstMessages();
  const [isNew] = useState(() => first.has(id));
  const loading = useStoredChat<ChatMessage>({ id, isNew, sent, newTitle: 'New chat' });

  switch (loading.type) {
    case 'ready':
      return <ChatView stored={loading.chat} />;
    case 'loading':
      return (
        <Blank title="">
          <p className={styles.loading} role="status">
            Loading the chat…
          </p>
        </Blank>
      );
    case 'missing':
      return (
        <Blank title="Not found">
          <h2 className={styles.heading}>Chat not found</h2>
          <p className={styles.text}>It was deleted, or it belongs to someone else.</p>
          <Link className={styles.link} href="/">
            Start a new chat
          </Link>
        </Blank>
      );
    case 'failed':
      return (
        <Blank title="Not loaded">
          <h2 className={styles.heading}>The chat couldn’t be loaded</h2>
          <p className={styles.text}>It is saved on the server. Check your connection.</p>
          <Button onClick={loading.again}>Try again</Button>
        </Blank>
      );
  }
}

function Blank({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={layout.page}>
      <ChatHeader title={title} />
      <main className={styles.main}>{children}</main>
    </div>
  );
}
