import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The requirements that the pages of the protocol define: headings that consist of an id.
 *
 * @param {string} folder
 * @returns {{ page: string, title: string, ids: string[] }[]} the pages with requirements, by the letter of
 * their ids
 */
export function readRequirements(folder) {
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((page) => {
      const text = readFileSync(join(folder, page), 'utf8');
      const ids = [...text.matchAll(/^### ([A-Z]\d{1,2}|H-[A-Z][a-z]+)$/gm)].map(([, id]) => id);
      return { page, title: /^# (.+)$/m.exec(text)?.[1] ?? page, ids };
    });
  const order = 'TPHSABCD';
  return pages
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => order.indexOf(a.ids[0][0]) - order.indexOf(b.ids[0][0]));
}

/**
 * Ids that are defined more than once. A link would lead only to the first definition.
 *
 * @param {{ ids: string[] }[]} pages
 */
export function definedTwice(pages) {
  const ids = pages.flatMap((page) => page.ids);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
