import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginsWithId, citedBy, idsIn } from './protocol-tests/ids.mjs';
import { testsPage } from './protocol-tests/page.mjs';
import { definedTwice, readRequirements } from './protocol-tests/requirements.mjs';
import { faultOf, readDecisions, sourcesIn } from './protocol-tests/sources.mjs';
import { titlesIn } from './protocol-tests/titles.mjs';

/**
 * `npm run docs:protocol` writes docs/protocol/tests.md, which names the tests of each requirement. With `--check`
 * it writes nothing.
 *
 * Both exit with 1, and name each fault, when a requirement has no test, when a test or an `@source` tag names a
 * requirement or a decision that does not exist, and, with `--check`, when the page is out of date. An argument: the folder of
 * another repository.
 */
process.chdir(
  process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? join(import.meta.dirname, '..'),
);
const folder = 'docs/protocol';
const target = join(folder, 'tests.md');
const pages = readRequirements(folder);
const ids = new Set(pages.flatMap((page) => page.ids));
const { decisions, cited } = readDecisions('docs/adr');
const faults = definedTwice(pages).map((id) => `${folder}: ${id} is defined twice.`);
const tests = new Map([...ids].map((id) => [id, new Set()]));

for (const path of sourceFiles(['tests'])) {
  for (const { title, line } of titlesIn(path)) {
    const items = citedBy(title);
    if (beginsWithId(title)) faults.push(`${path}:${line}: "${title}": put the ids in brackets at its end.`);
    const fault = items.length > 0 ? faultOf(items.join(', '), { ids, decisions }) : undefined;
    if (fault !== undefined) faults.push(`${path}:${line}: "${title}": ${fault}.`);
    else prove(idsIn(items.join(', ')), path, `${path}:${line}`);
  }
}
for (const { file, ids: proven } of cited) {
  prove(proven, join('tests/adr', file.replace(/\.md$/, '.test.ts')), join('docs/adr', file));
}
for (const id of ids) {
  if (tests.get(id).size === 0)
    faults.push(`${folder}: ${id} has no test. Put [${id}] at the end of a title.`);
}
for (const path of sourceFiles(['lib', 'app', 'tests', 'scripts', 'examples', 'server.ts', 'proxy.ts'])) {
  for (const { text, line } of sourcesIn(path)) {
    const fault = faultOf(text, { ids, decisions });
    if (fault !== undefined) faults.push(`${path}:${line}: @source ${text}: ${fault}.`);
  }
}

const page = testsPage(pages, tests);
if (!process.argv.includes('--check')) writeFileSync(target, page);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== page) {
  faults.push(`${target} is out of date. Regenerate it: npm run docs:protocol`);
}
for (const fault of faults) console.error(fault);
console.log(`${ids.size} requirements, ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;

function prove(proven, file, place) {
  for (const id of proven) {
    const files = tests.get(id);
    if (files) files.add(file);
    else faults.push(`${place}: there is no requirement ${id}.`);
  }
}

function sourceFiles(roots) {
  return roots.filter(existsSync).flatMap((root) =>
    root.endsWith('.ts')
      ? [root]
      : readdirSync(root, { recursive: true })
          .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes('node_modules'))
          .map((name) => join(root, name))
          .sort(),
  );
}
