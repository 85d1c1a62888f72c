'use client';

import { ApprovalInbox } from 'countersign/react';
import Link from 'next/link';
import { Screen } from '../_frame/screen.tsx';
import { useUser } from '../_identity/identity-state.tsx';
import { useStepUp } from '../_identity/use-step-up.ts';
import styles from './inbox-screen.module.css';
import { useInboxState } from './inbox-state.tsx';

/** All questions that this person may answer, from all chats. */
export function InboxScreen() {
  const inbox = useInboxState();
  const user = useUser();
  const onStepUp = useStepUp();
  return (
    <Screen title="Inbox" className={styles.screen}>
      <ApprovalInbox
        inbox={inbox}
        onStepUp={onStepUp}
        chatHref={({ askedBy, chatId }) => (askedBy?.id === user?.id ? `/chats/${chatId}` : undefined)}
      />
      <p className={styles.remembered}>
        <Link href="/remembered">Remembered approvals</Link>
        <span>Tools that run without asking you</span>
      </p>
    </Screen>
  );
}
