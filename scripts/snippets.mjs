import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compile } from './snippets/compile.mjs';
import { readBlocks } from './snippets/read-blocks.mjs';

/**
 * `npm run docs:snippets`: checks the types of every `ts` and `tsx` block of the documentation against the library's
 * source, each block as a module of its own. Arguments: other files or folders to check instead.
 *
 * A block is a module of its document's own folder. It may begin with its path (`// app/flow.ts`), and other blocks of
 * the document then import it by that path. What a reader need not see stands in a comment of Markdown:
 *
 *     <!-- ts
 *     declare const payments: Payments;  // stands before the next block
 *     -->
 *     <!-- ts every
 *     declare const orders: Orders;      // stands before each block of the document
 *     -->
 *     <!-- ts app/identity.ts
 *     export const authorize = () => null;  // a module that is not shown
 *     -->
 *
 * No block is passed over: code that does not compile by itself is `text` or `diff`, and other names of these two
 * languages are refused. docs/api is written by a program, from declarations that the compiler has checked.
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
