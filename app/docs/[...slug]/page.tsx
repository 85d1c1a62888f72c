import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocsPage, DocumentWays } from '../_content/docs-page.tsx';
import { DocumentText } from '../_content/document-text.tsx';
import { listPictures, readDocuments } from '../_content/documents.ts';
import { outlineOf } from '../_content/outline.ts';

type Props = { params: Promise<{ slug: string[] }> };

/** The tab is called like the document. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params;
  const document = (await readDocuments(process.cwd())).find(({ href }) => href === addressOf(slug));
  return { title: document?.title ?? 'Documentation' };
}

/** One document. */
export default async function Page({ params }: Props) {
  const { slug } = await params;
  const documents = await readDocuments(process.cwd());
  const document = documents.find(({ href }) => href === addressOf(slug));
  if (document === undefined) notFound();
  const shown = {
    pages: new Map(documents.map(({ file, href }) => [file, href])),
    pictures: new Set(await listPictures(process.cwd())),
  };
  return (
    <DocsPage>
      <DocumentWays outline={outlineOf(document.text)} />
      <DocumentText text={document.text} file={document.file} shown={shown} />
    </DocsPage>
  );
}

function addressOf(slug: readonly string[]): string {
  return `/docs/${slug.join('/')}`;
}
