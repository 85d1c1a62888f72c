'use client';

import { RequestsAfterError } from './_frame/requests-after-error.tsx';
import { Screen } from './_frame/screen.tsx';
import { Button } from './_ui/button.tsx';
import styles from './not-found.module.css';

/**
 * What a page shows that could not be rendered; the status is 500. Details stay in the server's log, under `digest`. If a request is the
 * cause, it can be denied here. Leaving it loads a whole page: React keeps a script that failed to load as failed.
 */
export default function ErrorPage({ error }: { error: Error & { readonly digest?: string } }) {
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
        <Button onClick={() => location.reload()}>Try again</Button>
        <a href="/">Start a new chat</a>
        <a href="/inbox">Open the inbox</a>
      </p>
    </Screen>
  );
}
