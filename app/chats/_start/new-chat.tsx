'use client';

import { createChatId } from 'countersign/react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import layout from '../../_frame/page-layout.module.css';
import { BrandMark } from '../../_ui/brand-mark.tsx';
import { ChatHeader } from '../_chat/chat-header.tsx';
import { Composer } from '../_chat/composer.tsx';
import { moveUnsentText } from '../_chat/use-unsent-text.ts';
import { demoPrompts } from './demo-prompts.ts';
import { useFirstMessages } from './first-message.tsx';
import styles from './new-chat.module.css';

/** Where the text is kept that belongs to no chat yet. */
const noChat = 'new';

/** The start page: suggestions, and a place to write the first message. */
export function NewChat() {
  const router = useRouter();
  const first = useFirstMessages();
  const [id, setId] = useState<string>();
  const [place, setPlace] = useState(noChat);

  // Made in the browser: an id rendered by the server would be another one here.
  useEffect(() => {
    const fresh = createChatId();
    setId(fresh);
    router.prefetch(`/chats/${fresh}`);
  }, [router]);

  const begin = (text: string) => {
    const chatId = id ?? createChatId();
    first.put(chatId, text);
    // What is typed while the chat's page loads is its next message.
    moveUnsentText(noChat, chatId);
    setPlace(chatId);
    router.push(`/chats/${chatId}`);
  };

  return (
    <div className={layout.page}>
      <ChatHeader title="New chat" />
      <main className={layout.conversation}>
        <div className={styles.welcome}>
          <div className={styles.column}>
            <BrandMark size={52} />
            <h2 className={styles.heading}>The assistant asks before it acts.</h2>
            <p className={styles.lead}>
              It works with real tools. Before it changes anything, it shows you exactly what will happen and
              waits for your approval.
            </p>
            <h3 className="visually-hidden">Suggestions</h3>
            <ul className={styles.prompts}>
              {demoPrompts.map((prompt) => (
                <li key={prompt.text}>
                  <button type="button" className={styles.prompt} onClick={() => begin(prompt.text)}>
                    <span className={styles.text}>{prompt.text}</span>
                    <span className={styles.hint}>
                      {prompt.title}
                      <Needs what={prompt.needs} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </div>
        <Composer phase="idle" isNew place={place} onSend={begin} onStop={() => undefined} />
      </main>
    </div>
  );
}

function Needs({ what }: { what: string | undefined }) {
  return what === undefined ? <span>no approval</span> : <span className={styles.needs}>{what}</span>;
}
