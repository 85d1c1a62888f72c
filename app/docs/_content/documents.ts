import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { outlineOf } from './outline.ts';

/** Sections of the list of documents, in order. */
export const groups = ['Start', 'Guides', 'Protocol', 'API reference', 'Decisions', 'The project'] as const;

/** One Markdown file of the project, and where it is shown. */
export type Document = {
  /** Relative to the project's folder, with `/`. */
  readonly file: string;
  /** Such as `/docs/guides/gate-a-tool`. */
  readonly href: string;
  readonly group: (typeof groups)[number];
  readonly title: string;
  /** The first sentence below the title, as plain text. */
  readonly about: string;
  readonly text: string;
};

/** Files outside of docs/ that are documents as well. */
const ofTheProject: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

const groupOfFolder: Readonly<Record<string, Document['group']>> = {
  guides: 'Guides',
  protocol: 'Protocol',
  api: 'API reference',
  adr: 'Decisions',
};

/**
 * All documents, in the order of the list. A page is looked up here and never read by the name that a request gives, so
 * there is no path to traverse.
 *
 * @param folder the project's
 */
export async function readDocuments(folder: string): Promise<readonly Document[]> {
  const files = [...ofTheProject, ...(await filesIn(folder, /\.md$/))];
  const documents = await Promise.all(files.map((file) => readDocument(folder, file)));
  return documents
    .filter((document) => document !== undefined)
    .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || rankOf(a) - rankOf(b));
}

/**
 * The pictures in docs/, relative to the project's folder: what the documents may show.
 *
 * @param folder the project's
 */
export async function listPictures(folder: string): Promise<readonly string[]> {
  return filesIn(folder, /\.(png|svg)$/);
}

/** Files of docs/ by the end of their name. Links are not followed: they may lead out of it. */
async function filesIn(folder: string, ending: RegExp): Promise<readonly string[]> {
  const entries = await readdir(join(folder, 'docs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

async function readDocument(folder: string, file: string): Promise<Document | undefined> {
  const text = await readFile(join(folder, file), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const title = outlineOf(text).find(({ level }) => level === 1)?.text ?? file;
  return { file, href: hrefOf(file), group: groupOf(file), title, about: aboutOf(text), text };
}

/** A folder's README is the folder's own page; `/docs` itself is the list of documents. */
function hrefOf(file: string): string {
  if (file === 'docs/README.md') return '/docs/contents';
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return `/docs/${path.replace(/\/README$/, '').toLowerCase()}`;
}

function groupOf(file: string): Document['group'] {
  const [, folder = ''] = /^docs\/([^/]+)\//.exec(file) ?? [];
  if (folder !== '') return groupOfFolder[folder] ?? 'The project';
  return file === 'README.md' || file.startsWith('docs/') ? 'Start' : 'The project';
}

/** Overview pages come first. */
function rankOf({ file }: Document): number {
  return basename(file) === 'README.md' ? 0 : 1;
}

function aboutOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((block) => /^[A-Z[`*]/.test(block)) ?? '';
  const plain = paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s*\n\s*/g, ' ');
  return /^.*?[.?](?=\s|$)/.exec(plain)?.[0] ?? plain;
}
