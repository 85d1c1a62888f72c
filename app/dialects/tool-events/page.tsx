import type { Metadata } from 'next';
import { ToolEventsScreen } from './tool-events-screen.tsx';

/** What the browser calls this page. */
export const metadata: Metadata = { title: 'Tool events' };

/** A conversation over the dialect of tool invocation events; `?c=` names a stored one. */
export default async function Page({ searchParams }: { searchParams: Promise<{ c?: string | string[] }> }) {
  const { c } = await searchParams;
  return <ToolEventsScreen conversationId={typeof c === 'string' ? c : undefined} />;
}
