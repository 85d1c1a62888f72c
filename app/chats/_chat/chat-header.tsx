'use client';

import { visibleText } from 'countersign/react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import styles from '../../_frame/page-header.module.css';
import { PageHeader } from '../../_frame/page-header.tsx';
import { Icon } from '../../_ui/icon.tsx';

/** The header of a chat: its title, and a link to its timeline. */
export function ChatHeader({ title }: { title: string }) {
  const path = usePathname();
  return (
    <PageHeader title={visibleText(title)}>
      {/^\/chats\/[^/]+$/.test(path) && (
        <Link className={styles.link} href={`${path}/timeline`} aria-label="Timeline" title="Timeline">
          <Icon name="timeline" />
        </Link>
      )}
    </PageHeader>
  );
}
