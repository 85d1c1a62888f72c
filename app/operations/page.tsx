import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { countersign } from '../_server/countersign.ts';
import { InsightsSection } from './_insights/insights.tsx';
import { OperationsScreen } from './operations-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Operations' };

/** What needs an operator. People without the right get the page of an address without a page, with its status. */
export default async function Page({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const request = new Request('http://localhost/api/operations', { headers: await headers() });
  const { status } = await (await countersign()).api(request);
  if (status === 404) notFound();
  if (status >= 500) throw new Error('What needs an operator could not be read.');
  const { since, timeZone } = await searchParams;
  const query = {
    since: typeof since === 'string' ? since : '30d',
    timeZone: typeof timeZone === 'string' && timeZone !== '' ? timeZone : 'UTC',
  };
  return (
    <OperationsScreen>
      <InsightsSection query={query} />
    </OperationsScreen>
  );
}
