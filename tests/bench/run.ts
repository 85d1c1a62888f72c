import { execFileSync } from 'node:child_process';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { parts } from './parts.ts';
import { publish } from './published/documents.ts';
import { reach } from './reach.ts';
import { startPostgres } from './support/postgres.ts';
import { printTable, writeResult } from './support/report.ts';
import type { Results } from './support/results.ts';
import { sizesOf } from './support/sizes.ts';

/**
 * `npm run bench [-- quick] [-- only=flows,growth] [-- profile] [-- publish]`: prints tables, and writes what it measured, a plot,
 * and when asked a CPU profile of each process, to `bench-results/`. `publish` makes a whole run of a commit the one that the documents
 * show. Everything goes over the loopback interface; the model is scripted and has no latency.
 */
const root = join(import.meta.dirname, '../..');
const quick = process.argv.includes('quick');
const only = process.argv
  .find((word) => word.startsWith('only='))
  ?.slice('only='.length)
  .split(',');
const commit = process.argv.includes('publish') ? committed() : undefined;
const start = performance.now();
const machine = {
  node: process.version,
  system: `${platform()} ${arch()}`,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
};
console.log(
  `Node ${machine.node}, ${machine.system}, ${machine.cores} cores (${machine.processor}), ${machine.memoryGiB} GiB; ${quick ? 'quick' : 'full'} run`,
);

const results: Results = {};
const postgres = await startPostgres();
try {
  const { connectionString } = postgres;
  for (const part of parts) {
    const isLeftOut = only ? !only.includes(part.name) : part.isOnRequest && commit === undefined;
    if (isLeftOut) continue;
    await part.measure(results, { ...sizesOf(quick), connectionString });
  }
} finally {
  await postgres.stop();
}

const rows = reach(results);
printTable(
  'Reach',
  rows.map(({ what, target, measured, isMet }) => ({
    what,
    target,
    measured,
    'this run': isMet ? 'met' : 'missed',
  })),
);

const at = new Date().toISOString();
const path = writeResult(
  'latest.json',
  `${JSON.stringify({ at, machine, quick, ...results, reach: rows }, null, 2)}\n`,
);
if (commit !== undefined) publish(root, { at, commit, machine, ...results, reach: rows });
console.log(`\nWritten to ${path}, after ${Math.round((performance.now() - start) / 1_000)} s.`);

/** @throws Error if the run would not be whole, or not that of a commit */
function committed(): string {
  if (quick || only) throw new Error('Only a whole run can be published: leave out "quick" and "only=".');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '') throw new Error('Commit your changes first.');
  return git('rev-parse', 'HEAD');
}
