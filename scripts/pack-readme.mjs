import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs before and after `npm pack` and `npm publish`. A package page cannot show a picture with a relative address, so
 * each one becomes a comment in the packed README. `--restore` turns the comments into pictures again.
 *
 * Nothing is stored in between, so that changes to the README while it is packed are kept, and the next run repairs a
 * README whose packing was interrupted.
 */
const readme = join(import.meta.dirname, '..', 'README.md');
const text = readFileSync(readme, 'utf8');
const picture = /!\[[^\]]*\]\((?!https:)[^)]*\)/;

writeFileSync(
  readme,
  process.argv.includes('--restore')
    ? text.replaceAll(new RegExp(`^<!-- (${picture.source}) -->$`, 'gm'), '$1')
    : text.replaceAll(new RegExp(`^${picture.source}$`, 'gm'), '<!-- $& -->'),
);
