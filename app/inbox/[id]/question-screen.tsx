'use client';

import { QuestionSheet, useQuestionSheet } from 'countersign/react';
import Link from 'next/link';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Screen } from '../../_frame/screen.tsx';
import { useUser } from '../../_identity/identity-state.tsx';
import { useStepUp } from '../../_identity/use-step-up.ts';
import { Button } from '../../_ui/button.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { repeatHref } from '../../chats/call-href.ts';
import styles from './question-screen.module.css';

// Only for open questions: the page of a settled one does not load it. Without it, the request can still be answered.
const CopyLink = lazy<ComponentType<{ id: string }>>(() =>
  import('./copy-link.tsx').catch(() => ({ default: () => null })),
);

/** One question on one sheet, to read, answer, print or save. */
export function QuestionScreen({ id }: { id: string }) {
  return (
    <Screen
      title="Request"
      actions={
        <Link className={styles.back} href="/inbox" aria-label="Back to the inbox">
          <Icon name="back" size={16} />
          Inbox
        </Link>
      }
    >
      <Content id={id} />
    </Screen>
  );
}

function Content({ id }: { id: string }): ReactNode {
  const { state, sheet, answer, resolve, refresh } = useQuestionSheet(id);
  const user = useUser();
  const onStepUp = useStepUp();
  if (sheet) {
    const { askedBy, chatId, state: asked, mayAnswer } = sheet.question;
    const links = { repeatHref, chatHref: askedBy?.id === user?.id ? `/chats/${chatId}` : undefined };
    const acts = { onAnswer: answer, onResolve: resolve, onStepUp };
    return (
      <>
        <QuestionSheet sheet={sheet} {...acts} {...links} />
        {asked === 'open' && mayAnswer && (
          <Suspense>
            <CopyLink id={id} />
          </Suspense>
        )}
      </>
    );
  }
  switch (state) {
    case 'missing':
      return <p>Request not found. Its chat was deleted, or it belongs to someone else.</p>;
    case 'failed':
      return (
        <>
          <p role="alert">The request couldn’t be loaded.</p>
          <Button className={styles.retry} onClick={refresh}>
            Try again
          </Button>
        </>
      );
    default:
      return (
        <p className={styles.loading} role="status">
          Loading…
        </p>
      );
  }
}
