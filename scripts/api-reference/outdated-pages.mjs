import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The pages of a folder that differ from those that it should have, are missing, or belong to no entry point.
 *
 * @param {ReadonlyMap<string, string>} pages texts by file name
 * @param {string} folder is made if there is none
 * @returns {string[]} their paths
 */
export function outdatedPages(pages, folder) {
  const stale = [...pages]
    .filter(([name, text]) => textOf(join(folder, name)) !== text)
    .map(([name]) => name);
  return [...stale, ...strangers(pages, folder)].map((name) => join(folder, name));
}

/** The names of pages of entry points that no longer exist. */
export function strangers(pages, folder) {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).filter((name) => !pages.has(name));
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
