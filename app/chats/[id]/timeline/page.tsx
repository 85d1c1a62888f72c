import type { Metadata } from 'next';
import { TimelineScreen } from './timeline-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Timeline' };

/** What happened in one chat, and what took its time. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <TimelineScreen key={id} id={id} />;
}
