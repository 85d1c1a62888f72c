import type { Metadata } from 'next';
import { SettledScreen } from './settled-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Decided requests' };

/** The requests of all chats that are no longer open. */
export default function Page() {
  return <SettledScreen />;
}
