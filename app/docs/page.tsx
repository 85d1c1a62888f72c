import type { Metadata } from 'next';
import { DocsPage, DocumentList } from './_content/docs-page.tsx';

/** The name of the tab. */
export const metadata: Metadata = { title: 'Documentation' };

/** The list of all documents. */
export default function Page() {
  return (
    <DocsPage>
      <DocumentList />
    </DocsPage>
  );
}
