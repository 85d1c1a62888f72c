'use client';

import { ApprovalInbox, formatInboxSearch, type Question } from 'countersign/react';
import Link from 'next/link';
import { useCallback } from 'react';
import { Screen } from '../_frame/screen.tsx';
import { useUser } from '../_identity/identity-state.tsx';
import { useStepUp } from '../_identity/use-step-up.ts';
import { useChatList } from '../chats/_list/chat-list.tsx';
import { repeatHref } from '../chats/call-href.ts';
import styles from './inbox-screen.module.css';
import { useInboxState } from './inbox-state.tsx';
import { InboxViews } from './inbox-views.tsx';
import { questionHref } from './question-href.ts';
import { useFilterInAddress } from './use-filter-in-address.ts';

/** All questions that this person may answer, from all chats. The filter is in the address. */
export function InboxScreen() {
  const inbox = useInboxState();
  const user = useUser();
  const onStepUp = useStepUp();
  const { chats } = useChatList();
  const [filter, setFilter] = useFilterInAddress();
  const chatHref = useCallback(
    ({ askedBy, chatId }: Question) => (askedBy?.id === user?.id ? `/chats/${chatId}` : undefined),
    [user],
  );
  const chatTitle = useCallback(
    ({ chatId }: Question) => chats.find(({ id }) => id === chatId)?.title,
    [chats],
  );
  return (
    <Screen title="Inbox" className={styles.screen}>
      <InboxViews current="/inbox" search={formatInboxSearch(filter)} />
      <ApprovalInbox
        inbox={inbox}
        onStepUp={onStepUp}
        filter={filter}
        onFilterChange={setFilter}
        chatHref={chatHref}
        chatTitle={chatTitle}
        questionHref={questionHref}
        repeatHref={repeatHref}
      />
      <div className={styles.more}>
        <p>
          <Link href="/remembered">Remembered approvals</Link>
          <span>Tools that run without asking you</span>
        </p>
        <p>
          <Link href="/delegations">Delegations</Link>
          <span>Who answers for you while you are away</span>
        </p>
      </div>
    </Screen>
  );
}
