'use client';

import { ToolTimeline, useToolTimeline } from 'countersign/react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Screen } from '../../../_frame/screen.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Icon } from '../../../_ui/icon.tsx';
import styles from './timeline-screen.module.css';

/** The timeline of one chat, live. */
export function TimelineScreen({ id }: { id: string }) {
  return (
    <Screen
      title="Timeline"
      className={styles.screen}
      actions={
        <Link className={styles.back} href={`/chats/${id}`} aria-label="Back to the chat">
          <Icon name="back" size={16} />
          Chat
        </Link>
      }
    >
      <Content id={id} />
    </Screen>
  );
}

function Content({ id }: { id: string }): ReactNode {
  const { state, timeline, refresh } = useToolTimeline(id);
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
