import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Passage } from './rank-passages.ts';

/** The text under one heading of a Markdown file. `file` is relative to the folder and uses `/`. */
export type DocumentSection = Passage & { readonly file: string };

/**
 * Splits Markdown at its headings. Text before the first heading gets the file's name as its title. Code fences stay
 * whole.
 */
function sectionsOf(file: string, markdown: string): DocumentSection[] {
  const sections: { file: string; title: string; text: string }[] = [{ file, title: file, text: '' }];
  let fenced = false;
  for (const line of markdown.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? undefined : /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (heading) sections.push({ file, title: heading, text: '' });
    else {
      const open = sections.at(-1);
      if (open) open.text += `${line}\n`;
    }
  }
  return sections.filter(({ title, text }) => title !== file || text.trim() !== '');
}

async function markdownFiles(folder: string): Promise<string[]> {
  const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const entries = await readdir(join(folder, 'docs'), { recursive: true, withFileTypes: true }).catch(
    (error) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  // Links are not followed: a symbolic link in docs/ must not make files outside of it searchable.
  const documents = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name));
  const root = await readdir(folder, { withFileTypes: true });
  const readme = root.some((entry) => entry.isFile() && entry.name === 'README.md');
  return [...(readme ? [join(folder, 'README.md')] : []), ...documents.sort()];
}

/**
 * Every section of `README.md` and `docs/**\/*.md` in the folder. Reads the files at each call, a few dozen small
 * ones, so edits are found immediately.
 */
export async function readDocumentSections(
  folder: string,
  abortSignal?: AbortSignal,
): Promise<DocumentSection[]> {
  const files = await markdownFiles(folder);
  const sections = await Promise.all(
    files.map(async (file) =>
      sectionsOf(
        relative(folder, file).split(sep).join('/'),
        await readFile(file, { encoding: 'utf8', signal: abortSignal }),
      ),
    ),
  );
  return sections.flat();
}
