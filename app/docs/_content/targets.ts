import { posix } from 'node:path';

/** Where a link or picture of a document leads, as this app can show it. */
export type Target =
  | { readonly type: 'page'; readonly href: string }
  | { readonly type: 'picture'; readonly href: string }
  | { readonly type: 'web'; readonly href: string }
  /** A file that is not shown here, such as source code. */
  | { readonly type: 'none' };

/** What may be linked to. */
export type Shown = {
  /** Addresses of documents by file. */
  readonly pages: ReadonlyMap<string, string>;
  readonly pictures: ReadonlySet<string>;
};

/**
 * Resolves a link of a Markdown file, relative to that file.
 *
 * @param file of the document that links, relative to the project's folder
 */
export function targetOf(href: string, file: string, { pages, pictures }: Shown): Target {
  if (/^https?:\/\//.test(href)) return { type: 'web', href };
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(href)) return { type: 'none' };
  const [path = '', anchor] = href.split('#');
  if (path === '') return { type: 'page', href };
  const named = posix.normalize(posix.join(posix.dirname(file), path));
  if (pictures.has(named)) return { type: 'picture', href: named.replace(/^docs\//, '/docs/pictures/') };
  const page = pages.get(named);
  if (page === undefined) return { type: 'none' };
  return { type: 'page', href: anchor === undefined ? page : `${page}#${anchor}` };
}
