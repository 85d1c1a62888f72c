'use client';

import { BackToQuestion, type StoredChat, textOf } from 'countersign/react';
import { useEffect, useEffectEvent } from 'react';
import layout from '../../_frame/page-layout.module.css';
import { loadMarkdown } from '../../_ui/markdown.tsx';
import { useChatList } from '../_list/chat-list.tsx';
import type { ChatMessage } from '../_messages/chat-message.ts';
import { useFirstMessages } from '../_start/first-message.tsx';
import { useTransportMode } from '../_transport/use-transport-mode.ts';
import { ChatHeader } from './chat-header.tsx';
import styles from './chat-view.module.css';
import { Composer } from './composer.tsx';
import { FailureBanner } from './failure-banner.tsx';
import { PluginNotice } from './plugin-notice.tsx';
import { Transcript } from './transcript.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { usePageChat } from './use-page-chat.ts';

/** A chat: what was said and done, and the place to say more. */
export function ChatView({ stored }: { stored: StoredChat<ChatMessage> }) {
  const [mode] = useTransportMode();
  const chat = usePageChat(stored, mode);
  const title = useTitle(stored, chat.messages);
  const asked = chat.question?.mayAnswer ? chat.question.id : undefined;
  useDocumentTitle(title);
  const send = (text: string) => void chat.sendMessage({ text });
  useFirstMessage(stored.id, send);
  const isRunning = chat.phase === 'running';
  // The next text may need it.
  useEffect(() => (isRunning ? loadMarkdown() : undefined), [isRunning]);

  return (
    <div className={layout.page} data-phase={chat.phase}>
      <ChatHeader title={title} />
      <main className={layout.conversation}>
        <Transcript chat={chat} />
        <div className={styles.dock}>
          {chat.failure !== undefined && chat.phase === 'failed' && (
            <FailureBanner failure={chat.failure} onRetry={chat.retry} />
          )}
          <PluginNotice run={stored.run} chat={chat} />
          <BackToQuestion className={styles.back} question={chat.question} />
          <Composer phase={chat.phase} asked={asked} place={stored.id} onSend={send} onStop={chat.stop} />
        </div>
      </main>
    </div>
  );
}

function useTitle(stored: StoredChat<ChatMessage>, messages: readonly ChatMessage[]): string {
  const { chats } = useChatList();
  const listed = chats.find((chat) => chat.id === stored.id)?.title;
  if (listed !== undefined) return listed;
  const first = messages[0];
  return stored.messages.length === 0 && first !== undefined ? textOf(first) : stored.title;
}

function useFirstMessage(chatId: string, send: (text: string) => void): void {
  const first = useFirstMessages();
  const sendFirst = useEffectEvent(() => {
    const text = first.take(chatId);
    if (text !== undefined) send(text);
  });
  useEffect(() => {
    // In development React mounts twice, and the first unmount would abort a request sent at once.
    const timer = setTimeout(() => sendFirst(), 0);
    return () => clearTimeout(timer);
  }, []);
}
