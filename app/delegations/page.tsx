import type { Metadata } from 'next';
import { DelegationsScreen } from './delegations-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Delegations' };

/** Who answers for this person, and for whom this person answers. */
export default function Page() {
  return <DelegationsScreen />;
}
