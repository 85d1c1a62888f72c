'use client';

import { RequestsAfterError } from './_frame/requests-after-error.tsx';
import styles from './global-error.module.css';
import './globals.css';

/** What is shown if the frame of the pages fails, too: without its parts, because they may be what failed. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong · Countersign</title>
        <main className={styles.main}>
          <h1>Something went wrong</h1>
          <p>Your chats and answers are safe on the server.</p>
          <RequestsAfterError />
          <p>
            <button type="button" onClick={() => location.reload()}>
              Try again
            </button>
          </p>
        </main>
      </body>
    </html>
  );
}
