'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useRail } from '../_chat/rail-state.tsx';
import styles from './chat-header.module.css';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TransportSwitch } from './transport-switch.tsx';

/** The line above a chat: the way to the other chats, its title, its timeline, transport and colours. */
export function ChatHeader({ title }: { title: string }) {
  const path = usePathname();
  return (
    <PageHeader title={title}>
      {/^\/chats\/[^/]+$/.test(path) && (
        <Link className={styles.link} href={`${path}/timeline`} aria-label="Timeline" title="Timeline">
          <Icon name="timeline" />
        </Link>
      )}
      <TransportSwitch />
    </PageHeader>
  );
}

/** The line above any page: the way to the chats, its title, what it brings, colours. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  const { state, toggle } = useRail();
  return (
    <header className={styles.header}>
      <IconButton
        icon="menu"
        label="Chat list"
        aria-controls="rail"
        aria-expanded={state === 'auto' ? undefined : state === 'open'}
        onClick={toggle}
      />
      <h1 className={styles.title} title={title}>
        {title}
      </h1>
      {children}
      <ThemeSwitch />
    </header>
  );
}
