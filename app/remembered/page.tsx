import type { Metadata } from 'next';
import { RememberedScreen } from './remembered-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Remembered approvals' };

/** The remembered approvals of this person. */
export default function Page() {
  return <RememberedScreen />;
}
