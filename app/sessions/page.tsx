import type { Metadata } from 'next';
import { SessionsScreen } from './sessions-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Sessions' };

/** Where this person is signed in. */
export default function Page() {
  return <SessionsScreen />;
}
