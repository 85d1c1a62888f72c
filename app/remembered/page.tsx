import type { Metadata } from 'next';
import { RememberedScreen } from './remembered-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Remembered approvals' };

/** What this person allowed for more than one call. */
export default function Page() {
  return <RememberedScreen />;
}
