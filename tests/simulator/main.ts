import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { idleInvariants } from './invariants/index.ts';
import { searchPlant, searchPlants } from './plants/command.ts';
import { printFailures, printTable } from './report.ts';
import { runSeed } from './run-seed.ts';
import { foundSeeds, runSeeds } from './run-seeds.ts';

/**
 * `npm run simulate [-- --count N] [--base N] [--workers N]`: plays N schedules, after the seeds that failed before,
 * and prints how often each invariant was checked. `-- --seed N`: plays one seed and prints its whole trace. `--
 * --plant NAME [--count N]` searches for a seed that reveals a planted bug; `-- --find-plants` searches for all of
 * them.
 *
 * Fails when a promise is broken, or when an invariant had nothing to check in 1,000 schedules or more.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    base: { type: 'string' },
    workers: { type: 'string', default: '1' },
    plant: { type: 'string' },
    'find-plants': { type: 'boolean' },
  },
});

/** With this many schedules every invariant has something to check. */
const enough = 1_000;

if (values.plant !== undefined || values['find-plants']) await search();
else if (values.seed === undefined) await runMany();
else await runOne(numberOf(values.seed, 'seed'));

/** Starts at seed 1, so that every search finds the same seed. */
async function search(): Promise<void> {
  const range = {
    base: numberOf(values.base ?? '1', 'base'),
    count: numberOf(values.count ?? '2000', 'count'),
  };
  const isFound =
    values.plant === undefined
      ? await searchPlants({ ...range, workers: numberOf(values.workers, 'workers') })
      : await searchPlant(values.plant, range);
  process.exitCode = isFound ? 0 : 1;
}

async function runOne(seed: number): Promise<void> {
  const { digest, trace, violations, checked } = await runSeed(seed);
  console.log(trace.join('\n'));
  console.log(`\nSeed ${seed}, digest ${digest}`);
  printTable(checked, new Map());
  for (const { invariant, message } of violations) console.log(`\nBroken: ${invariant}\n  ${message}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

async function runMany(): Promise<void> {
  const count = numberOf(values.count ?? '1000', 'count');
  const base = values.base === undefined ? randomInt(2 ** 40) : numberOf(values.base, 'base');
  const workers = Math.max(1, numberOf(values.workers, 'workers'));
  console.log(`${count} schedules from base seed ${base}, after ${foundSeeds.length} that failed before`);
  const begin = performance.now();
  const { checked, failures, traces, digest } = await runSeeds({ base, count, workers });
  const minutes = (performance.now() - begin) / 60_000;
  printFailures(failures);
  printTable(checked, failures);
  const played = count + foundSeeds.length;
  console.log(
    `\n${played} schedules, ${traces} traces, ${failures.size} broke a promise; ${Math.round(played / minutes)} a minute with ${workers} worker(s)`,
  );
  console.log(`Traces: digest ${digest}`);
  const idle = count >= enough ? idleInvariants(checked) : [];
  if (idle.length > 0) console.log(`Never exercised: ${idle.join('; ')}`);
  process.exitCode = failures.size > 0 || idle.length > 0 ? 1 : 0;
}

function numberOf(text: string, name: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${name} must be an integer of at least 0.`);
}
