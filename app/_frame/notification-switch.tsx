'use client';

import { type Question, useApprovalNotifications } from 'countersign/react';
import { useRouter } from 'next/navigation';
import { useUser } from '../_identity/identity-state.tsx';
import { Button } from '../_ui/button.tsx';
import { questionHref } from '../inbox/question-href.ts';
import styles from './settings.module.css';

/** Turns notifications about new requests on and off. Renders nothing in browsers that have none. */
export function NotificationSwitch() {
  const router = useRouter();
  const user = useUser();
  const { state, turnOn, turnOff } = useApprovalNotifications(({ id, chatId, askedBy }: Question) => {
    const card = document.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"]`);
    // A card that has just come takes the focus itself.
    if (card) card.focus();
    else router.push(askedBy?.id === user?.id ? `/chats/${chatId}` : questionHref({ id }));
  });
  switch (state) {
    case 'unsupported':
      return null;
    case 'blocked':
      return <p className={styles.note}>Notifications are blocked in this browser.</p>;
    case 'on':
      return <Button onClick={turnOff}>Turn off notifications</Button>;
    case 'off':
      return <Button onClick={() => void turnOn()}>Notify me of new requests</Button>;
  }
}
