import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { countersign } from '../../_server/countersign.ts';
import { QuestionScreen } from './question-screen.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Request' };

/** One question. People who may not read its question get the page of an address without a page, with its status. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const path = `/api/approvals/${encodeURIComponent(decodeURIComponent(id))}`;
  const request = new Request(`http://localhost${path}`, { headers: await headers() });
  const { status } = await (await countersign()).api(request);
  if (status === 404 || status === 400) notFound();
  if (status >= 500) throw new Error('The request could not be read.');
  return <QuestionScreen key={id} id={decodeURIComponent(id)} />;
}
