import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compile } from './snippets/compile.mjs';
import { readBlocks } from './snippets/read-blocks.mjs';

/**
 * `npm run docs:snippets`: type-checks every `ts` and `tsx` block of the documentation against the library's
 * source, each block as its own module. Arguments: other files or folders to check instead.
 *
 * A block is a module in its document's own folder. It may start with its path (`// app/flow.ts`), so that
 * other blocks of the document can import it. Code that readers do not need is in Markdown comments:
 *
 *     <!-- ts
 *     declare const payments: Payments;  // prepended to the next block
 *     -->
 *     <!-- ts every
 *     declare const orders: Orders;      // prepended to each block of the document
 *     -->
 *     <!-- ts app/identity.ts
 *     export const authorize = () => null;  // a module that is not shown
 *     -->
 *
 * No block is skipped: code that does not compile on its own is `text` or `diff`, and other names of these two
 * languages are refused. docs/api is excluded: it is generated from declarations that the compiler has checked.
 */
const ownDocuments = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs'];
const generated = join('docs', 'api');

process.chdir(join(import.meta.dirname, '..'));
const asked = process.argv.slice(2);
const documents = (asked.length > 0 ? asked : ownDocuments).flatMap(markdownIn).map(readDocument);
const modules = documents.flatMap(({ modules }) => modules);
const unreadable = documents.flatMap(({ faults }) => faults);
const faults = unreadable.length > 0 ? unreadable : await compile(modules);

for (const fault of faults) console.error(fault);
const count = modules.filter(({ isShown }) => isShown).length;
console.log(`${count} snippets in ${documents.length} documents, ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;

function readDocument(path) {
  return readBlocks(path, readFileSync(path, 'utf8'));
}

function markdownIn(path) {
  if (path.endsWith('.md')) return [path];
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => relative('.', join(path, name)))
    .filter((found) => !found.startsWith(generated))
    .sort();
}
