'use client';

import { ApprovalKeysButton } from 'countersign/react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useUser } from '../_identity/identity-state.tsx';
import { IdentitySwitch } from '../_identity/identity-switch.tsx';
import { BrandMark } from '../_ui/brand-mark.tsx';
import { Button } from '../_ui/button.tsx';
import { Icon } from '../_ui/icon.tsx';
import { OpenBadge } from '../_ui/open-badge.tsx';
import { useChatList } from '../chats/_list/chat-list.tsx';
import { ChatRow } from '../chats/_list/chat-row.tsx';
import { useInboxState } from '../inbox/inbox-state.tsx';
import styles from './rail.module.css';
import { useRail } from './rail-state.tsx';

/** The list of chats, beside the page or as a drawer over it. */
export function Rail() {
  const { state } = useRail();
  const current = useCurrent();
  const user = useUser();
  const newChat = useRef<HTMLAnchorElement>(null);

  useEffect(() => {
    if (state === 'open') newChat.current?.focus();
  }, [state]);

  return (
    <nav className={styles.rail} id="rail" aria-label="Chats">
      <div className={styles.brand}>
        <BrandMark size={26} />
        <span>Countersign</span>
      </div>
      <Link className={styles.fresh} href="/" ref={newChat}>
        <Icon name="plus" />
        New chat
      </Link>
      <InboxLink />
      <Rows />
      <div className={styles.foot}>
        <IdentitySwitch />
        <Link className={styles.elsewhere} href="/sessions" prefetch={false} {...current('/sessions')}>
          Sessions
        </Link>
        {user?.role === 'manager' && (
          <Link className={styles.elsewhere} href="/operations" prefetch={false} {...current('/operations')}>
            Operations
          </Link>
        )}
        <Link className={styles.elsewhere} href="/dialects" prefetch={false} {...current('/dialects')}>
          Dialects
        </Link>
        <Link className={styles.elsewhere} href="/docs" prefetch={false} {...current('/docs')}>
          Documentation
        </Link>
        <ApprovalKeysButton className={styles.elsewhere} />
      </div>
    </nav>
  );
}

/** Marks the link whose page, or a page below it, is open. */
function useCurrent() {
  const path = usePathname();
  return (href: string): { readonly 'aria-current'?: 'page' | 'true' } => {
    if (path === href) return { 'aria-current': 'page' };
    return path.startsWith(`${href}/`) ? { 'aria-current': 'true' } : {};
  };
}

function InboxLink() {
  const { count, more } = useInboxState();
  const current = useCurrent();
  return (
    <Link className={styles.inbox} href="/inbox" {...current('/inbox')}>
      <Icon name="inbox" />
      <span>Inbox</span>
      {count > 0 && <OpenBadge count={count} isAtLeast={more !== undefined} />}
    </Link>
  );
}

function Rows() {
  const { chats, state, refresh, more } = useChatList();
  const path = usePathname();
  if (state === 'loading') return <p className={styles.note}>Loading…</p>;
  if (state === 'failed' && chats.length === 0) {
    return (
      <div className={styles.note}>
        <p>Your chats couldn’t be loaded.</p>
        <Button kind="quiet" onClick={refresh}>
          Try again
        </Button>
      </div>
    );
  }
  if (chats.length === 0) return <p className={styles.note}>Your chats appear here.</p>;
  return (
    <div className={styles.scroller}>
      <ul className={styles.list}>
        {chats.map((chat) => (
          <ChatRow key={chat.id} chat={chat} isActive={isOf(chat.id, path)} />
        ))}
      </ul>
      {more !== undefined && (
        <Button kind="quiet" onClick={more}>
          Show older chats
        </Button>
      )}
    </div>
  );
}

/** Whether a page is the chat's, or the timeline of it. */
function isOf(chatId: string, path: string): boolean {
  return path === `/chats/${chatId}` || path === `/chats/${chatId}/timeline`;
}
