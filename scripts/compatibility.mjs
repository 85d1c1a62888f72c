import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compatibilityPage } from './compatibility/page.mjs';
import { callbacks, chunks, settings } from './compatibility/rows.mjs';
import { readSdkKeys } from './compatibility/sdk-keys.mjs';
import { titlesIn } from './protocol-tests/titles.mjs';

/**
 * `npm run docs:compatibility` writes docs/compatibility.md: how each setting, callback and UI chunk type of the
 * installed SDK works here. With `--check` it writes nothing. An argument: other declarations of the SDK.
 *
 * Both exit with 1, and name each fault, when the SDK has one that has no row, when a row names one that the SDK does
 * not have, or a test that does not exist or does not mention it, and, with `--check`, when the page is out of date.
 */
process.chdir(join(import.meta.dirname, '..'));
const target = 'docs/compatibility.md';
const { version } = JSON.parse(readFileSync('node_modules/ai/package.json', 'utf8'));
const declarations = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const keys = readSdkKeys(declarations ?? 'node_modules/ai/dist/index.d.ts');
const tests = new Map();
const faults = [];

const sections = [
  section('Settings', 'Of `ToolLoopAgent` and `streamText`, under their own names.', keys.settings, settings),
  section(
    'Callbacks',
    'None is awaited, and an error in one is logged and changes nothing. Each is called on the instance where the thing happened. After a crash, one may be missing, and those of a step or a tool that runs again are called again. Events also have `chatId` and `runId`, and `callId` is the run’s id.',
    keys.callbacks,
    callbacks,
  ),
  section('UI chunk types', 'Of `UIMessageChunk`, as clients receive them.', keys.chunks, chunks),
];
const page = compatibilityPage(sections, version);
if (!process.argv.includes('--check')) writeFileSync(target, page);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== page) {
  faults.push(`${target} is out of date. Regenerate it: npm run docs:compatibility`);
}
for (const fault of faults) console.error(fault);
console.log(`${sections.flatMap(({ rows }) => rows).length} rows, ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;

function section(title, lead, names, rows) {
  for (const name of names) if (!Object.hasOwn(rows, name)) faults.push(`${title}: ${name} has no row.`);
  for (const [name, row] of Object.entries(rows)) {
    if (!names.includes(name)) faults.push(`${title}: \`ai\` has no ${name} any more.`);
    else checkTest(name, row);
  }
  const known = names.filter((name) => Object.hasOwn(rows, name));
  return { title, lead, rows: known.map((name) => [name, rows[name]]) };
}

function checkTest(name, { test, isListed }) {
  const [file, title] = test.split(' > ');
  if (!existsSync(file)) {
    faults.push(`${name}: there is no ${file}.`);
    return;
  }
  if (!tests.has(file)) {
    const source = readFileSync(file, 'utf8');
    tests.set(file, { source, titles: new Set(titlesIn(file).map((one) => one.title)) });
  }
  const { source, titles } = tests.get(file);
  if (!titles.has(title)) faults.push(`${name}: ${file} has no test "${title}".`);
  else if (!isListed && !source.includes(name.replace('*', ''))) {
    faults.push(`${name}: ${file} does not mention it.`);
  }
}
