'use client';

import { visibleText } from 'countersign/react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../_ui/confirm-dialog.tsx';
import { IconButton } from '../../_ui/icon-button.tsx';
import { OpenBadge } from '../../_ui/open-badge.tsx';
import type { ChatSummary } from './chat-api.ts';
import { useChatList } from './chat-list.tsx';
import styles from './chat-row.module.css';
import { RenameForm } from './rename-form.tsx';

/** One chat in the list: its title, how many questions wait in it, rename and delete. */
export function ChatRow({ chat, isActive }: { chat: ChatSummary; isActive: boolean }) {
  const { rename, remove } = useChatList();
  const router = useRouter();
  const [isRenaming, setRenaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const title = visibleText(chat.title);
  const renameButton = useRef<HTMLButtonElement>(null);

  const endRenaming = (renamed: string | undefined) => {
    setRenaming(false);
    if (renamed !== undefined && renamed !== chat.title) void rename(chat.id, renamed);
    requestAnimationFrame(() => renameButton.current?.focus());
  };

  const confirmDelete = async () => {
    setDeleting(false);
    if ((await remove(chat.id)) && isActive) router.push('/');
  };

  if (isRenaming) {
    return (
      <li className={styles.row} data-active={isActive}>
        <RenameForm title={chat.title} onEnd={endRenaming} />
      </li>
    );
  }
  return (
    <li className={styles.row} data-active={isActive}>
      <Link
        prefetch={false}
        className={styles.link}
        href={`/chats/${chat.id}`}
        aria-current={isActive ? 'page' : undefined}
        title={title}
      >
        <span className={styles.title}>{title}</span>
        {chat.open > 0 && <OpenBadge count={chat.open} />}
      </Link>
      <span className={styles.actions}>
        <IconButton
          ref={renameButton}
          icon="edit"
          label={`Rename “${title}”`}
          onClick={() => setRenaming(true)}
        />
        <IconButton icon="trash" label={`Delete “${title}”`} onClick={() => setDeleting(true)} />
      </span>
      {isDeleting && (
        <ConfirmDialog
          title="Delete this chat?"
          action="Delete"
          onCancel={() => setDeleting(false)}
          onConfirm={() => void confirmDelete()}
        >
          <span>This erases “{title}” with its messages, log and results. It can’t be undone.</span>{' '}
          {chat.open > 0 && (
            <span>Its open request can no longer be answered, and its tool does not run.</span>
          )}{' '}
          <span>
            If tool calls that needed approval ran in this chat, their sealed record is kept: what was asked,
            who answered, and how each call ended.
          </span>
        </ConfirmDialog>
      )}
    </li>
  );
}
