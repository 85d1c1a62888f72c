import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Runs before and after `npm pack` and `npm publish`. A package page cannot show a picture with a relative address, so
 * the packed README has none; `--restore` puts the whole README back.
 *
 * The whole README is kept in a file meanwhile. If packing was interrupted, the next run finds it there, and restores
 * it unless somebody has changed the README since.
 */
const readme = join(import.meta.dirname, '..', 'README.md');
const kept = join(import.meta.dirname, '..', 'node_modules/.cache/countersign/README.md');

restore();
if (!process.argv.includes('--restore')) {
  const whole = readFileSync(readme, 'utf8');
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, whole);
  writeFileSync(readme, withoutPictures(whole));
}

function restore() {
  if (!existsSync(kept)) return;
  const whole = readFileSync(kept, 'utf8');
  if (readFileSync(readme, 'utf8') === withoutPictures(whole)) writeFileSync(readme, whole);
  rmSync(kept);
}

/**
 * @param {string} markdown
 * @returns {string} without the paragraphs that are a picture with a relative address
 */
function withoutPictures(markdown) {
  return markdown.replaceAll(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '');
}
