'use client';

import Link from 'next/link';
import { RequestsAfterError } from './_frame/requests-after-error.tsx';
import { Screen } from './_frame/screen.tsx';
import { Button } from './_ui/button.tsx';
import styles from './not-found.module.css';

/**
 * What a page shows that could not be rendered; the status is 500. Details stay in the server's log, under `digest`. If a request is the
 * cause, it can be denied here.
 */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { readonly digest?: string };
  reset: () => void;
}) {
  return (
    <Screen title="Something went wrong">
      <title>Something went wrong · Countersign</title>
      <h2 className={styles.heading}>This page couldn’t be shown</h2>
      <p className={styles.lead}>
        <span>Your chats and answers are safe on the server.</span>{' '}
        {error.digest !== undefined && <span>Error {error.digest}.</span>}
      </p>
      <RequestsAfterError />
      <p className={styles.links}>
        <Button onClick={reset}>Try again</Button>
        <Link href="/">Start a new chat</Link>
        <Link href="/inbox">Open the inbox</Link>
      </p>
    </Screen>
  );
}
