'use client';

import { ToolTimeline, type ToolTimelineState, useToolTimeline, visibleText } from 'countersign/react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Screen } from '../../../_frame/screen.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Icon } from '../../../_ui/icon.tsx';
import { useDocumentTitle } from '../../_chat/use-document-title.ts';
import { useChatList } from '../../_list/chat-list.tsx';
import styles from './timeline-screen.module.css';

/** The timeline of one chat, live, under the chat's title. */
export function TimelineScreen({ id }: { id: string }) {
  const shown = useToolTimeline(id);
  const { chats } = useChatList();
  const title = chats.find((chat) => chat.id === id)?.title ?? shown.timeline?.turns[0]?.text;
  const heading = title ? `Timeline: ${visibleText(title)}` : 'Timeline';
  useDocumentTitle(heading);
  return (
    <Screen
      title={heading}
      className={styles.screen}
      actions={
        <Link className={styles.back} href={`/chats/${id}`} aria-label="Back to the chat">
          <Icon name="back" size={16} />
          Chat
        </Link>
      }
    >
      <Content shown={shown} />
    </Screen>
  );
}

function Content({ shown }: { shown: ToolTimelineState }): ReactNode {
  const { state, timeline, refresh } = shown;
  if (timeline) return <ToolTimeline timeline={timeline} />;
  switch (state) {
    case 'missing':
      return <p>Chat not found. It was deleted, or it belongs to someone else.</p>;
    case 'failed':
      return (
        <>
          <p role="alert">The timeline couldn’t be loaded.</p>
          <Button className={styles.retry} onClick={refresh}>
            Try again
          </Button>
        </>
      );
    default:
      return (
        <p className={styles.loading} role="status">
          Loading…
        </p>
      );
  }
}
