'use client';

import { useState } from 'react';
import header from '../_frame/page-header.module.css';
import { useRail } from '../_frame/rail-state.tsx';
import { ThemeSwitch } from '../_frame/theme-switch.tsx';
import { Button } from '../_ui/button.tsx';
import { IconButton } from '../_ui/icon-button.tsx';
import { useChatList } from '../chats/_list/chat-list.tsx';
import { ToolEventsConversation } from './tool-events-conversation.tsx';
import styles from './tool-events-screen.module.css';

const address = '/dialects';

/** The page: its title line, and one conversation at a time. */
export function ToolEventsScreen({ conversationId }: { conversationId: string | undefined }) {
  const { state, toggle } = useRail();
  const { refresh } = useChatList();
  const [shown, setShown] = useState({ id: conversationId, count: 0 });

  const beginAnew = () => {
    window.history.replaceState(null, '', address);
    setShown(({ count }) => ({ id: undefined, count: count + 1 }));
  };

  const onBegun = (id: string) => {
    window.history.replaceState(null, '', `${address}?c=${encodeURIComponent(id)}`);
    refresh();
  };

  return (
    <div className={styles.page}>
      <header className={header.header}>
        <IconButton
          icon="menu"
          label="Chat list"
          aria-controls="rail"
          aria-expanded={state === 'auto' ? undefined : state === 'open'}
          onClick={toggle}
        />
        <h1 className={header.title}>Tool events</h1>
        <Button kind="quiet" onClick={beginAnew}>
          New
        </Button>
        <ThemeSwitch />
      </header>
      <ToolEventsConversation key={shown.count} conversationId={shown.id} onBegun={onBegun} />
    </div>
  );
}
