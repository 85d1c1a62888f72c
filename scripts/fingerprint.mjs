import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

/**
 * @param {readonly string[]} paths files and folders, from the project's folder; one that does not exist counts as empty
 * @returns {string} a hash of the names and the contents of all files below them
 */
export function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of filesOf(join(root, path))) hash.update(`${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Whether what was made from these files is still up to date, by the fingerprint that was stored with it. */
export function isUpToDate(stamp, fingerprint) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
