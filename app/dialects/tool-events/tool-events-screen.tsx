'use client';

import { useState } from 'react';
import { PageHeader } from '../../_frame/page-header.tsx';
import layout from '../../_frame/page-layout.module.css';
import { Button } from '../../_ui/button.tsx';
import { useChatList } from '../../chats/_list/chat-list.tsx';
import { ToolEventsConversation } from './tool-events-conversation.tsx';

const address = '/dialects/tool-events';

/** The page: its title line, and one conversation at a time. */
export function ToolEventsScreen({ conversationId }: { conversationId: string | undefined }) {
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
    <div className={layout.page}>
      <PageHeader title="Tool events">
        <Button kind="quiet" onClick={beginAnew}>
          New
        </Button>
      </PageHeader>
      <ToolEventsConversation key={shown.count} conversationId={shown.id} onBegun={onBegun} />
    </div>
  );
}
