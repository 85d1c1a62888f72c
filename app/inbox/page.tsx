import type { Metadata } from 'next';
import { InboxScreen } from './inbox-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Inbox' };

/** All open questions of this person. */
export default function Page() {
  return <InboxScreen />;
}
