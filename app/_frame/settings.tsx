'use client';

import { IconButton } from '../_ui/icon-button.tsx';
import { TransportSwitch } from '../chats/_transport/transport-switch.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import styles from './settings.module.css';

const id = 'settings';

/** Opens and closes the settings. It can be anywhere on the page. */
export function SettingsButton() {
  return <IconButton icon="settings" label="Settings" popoverTarget={id} className={styles.button} />;
}

/**
 * What a person sets once for this browser: its transport and its notifications. Render it once, for all pages: it also
 * shows the notifications while it is closed.
 */
export function Settings() {
  return (
    <section className={styles.settings} id={id} popover="auto" aria-label="Settings" data-keeps-keys="">
      <TransportSwitch />
      <NotificationSwitch />
    </section>
  );
}
