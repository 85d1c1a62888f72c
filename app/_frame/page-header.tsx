'use client';

import type { ReactNode } from 'react';
import { IconButton } from '../_ui/icon-button.tsx';
import styles from './page-header.module.css';
import { useRail } from './rail-state.tsx';
import { SettingsButton } from './settings.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The header of every page: a button for the chat list, the title, controls of the page, the settings, and the theme. */
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
      <SettingsButton />
      <ThemeSwitch />
    </header>
  );
}
