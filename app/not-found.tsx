import type { Metadata } from 'next';
import Link from 'next/link';
import { Screen } from './_frame/screen.tsx';
import styles from './not-found.module.css';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Page not found' };

/** What an address without a page shows, with the status 404. */
export default function NotFound() {
  return (
    <Screen title="Page not found">
      <h2 className={styles.heading}>There is no page at this address</h2>
      <p className={styles.lead}>The link may be incomplete, or the page may have moved.</p>
      <p className={styles.links}>
        <Link href="/">Start a new chat</Link>
        <Link href="/inbox">Open the inbox</Link>
      </p>
    </Screen>
  );
}
