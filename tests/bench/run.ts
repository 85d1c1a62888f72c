import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { lifecycleDelay } from './lifecycle-delay.ts';

/** `npm run bench [-- quick]`: prints tables, and writes what it measured to `bench-results/latest.json`. */
const quick = process.argv.includes('quick');
const turns = quick ? 100 : 1_000;

console.log(
  `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores; ${quick ? 'quick' : 'full'} run`,
);
console.log(
  '\nLifecycle delay: from a change of a call to its receipt, in milliseconds (A23: at most 500 at p99)',
);
const rows = await lifecycleDelay(turns);
console.table(
  rows.map(({ transport, busyRuns, count, median, p99, max }) => ({
    transport,
    'busy runs beside': busyRuns,
    changes: count,
    median: round(median),
    p99: round(p99),
    max: round(max),
  })),
);

mkdirSync('bench-results', { recursive: true });
const results = { at: new Date().toISOString(), node: process.version, quick, lifecycleDelay: rows };
writeFileSync('bench-results/latest.json', `${JSON.stringify(results, null, 2)}\n`);

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
