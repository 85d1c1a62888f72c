'use client';

import { ApprovalInbox } from 'countersign/react';
import Link from 'next/link';
import { useUser } from '../_chat/identity-state.tsx';
import { useInboxState } from '../_chat/inbox-state.tsx';
import { useStepUp } from '../_chat/use-step-up.ts';
import { PageHeader } from './chat-header.tsx';
import styles from './inbox-screen.module.css';

/** All questions that this person may answer, from all chats. */
export function InboxScreen() {
  const inbox = useInboxState();
  const user = useUser();
  const onStepUp = useStepUp();
  return (
    <div className={styles.page}>
      <PageHeader title="Inbox" />
      <main className={styles.main}>
        <div className={styles.column}>
          <ApprovalInbox
            inbox={inbox}
            onStepUp={onStepUp}
            chatHref={({ askedBy, chatId }) => (askedBy?.id === user?.id ? `/chats/${chatId}` : undefined)}
          />
          <p className={styles.remembered}>
            <Link href="/remembered">Remembered approvals</Link>
            <span>Tools that run without asking you</span>
          </p>
        </div>
      </main>
    </div>
  );
}
