'use client';

import { useRail } from '../_chat/rail-state.tsx';
import styles from './chat-header.module.css';
import { IconButton } from './icon-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TransportSwitch } from './transport-switch.tsx';

/** The line above a chat: the way to the other chats, its title, transport and colours. */
export function ChatHeader({ title }: { title: string }) {
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
      <TransportSwitch />
      <ThemeSwitch />
    </header>
  );
}
