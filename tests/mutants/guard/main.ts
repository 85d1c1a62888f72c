import { parseArgs } from 'node:util';
import { mapInParallel } from '../../../lib/rights/map-in-parallel.ts';
import { checkMutant } from '../../support/patches/patch.ts';
import type { PromiseMutant } from '../promise-mutant.ts';
import { areas, promiseMutants } from '../promises/index.ts';
import { choose } from './choose.ts';
import { ImportGraph } from './import-graph.ts';
import { playMutant, type Verdict } from './play-mutant.ts';
import { readRecorded, record } from './recorded.ts';
import { SuiteRunner } from './suite-runner.ts';
import { UnchangedRuns } from './unchanged-runs.ts';

/**
 * `npm run mutants [-- --only NAME|AREA ...] [--shard 1/4] [--workers N] [--record]`: breaks one promise at a time, and checks that
 * a test fails. `--named` runs only the suites that the mutants name. `--seconds N`, for a machine that is busy with other work, is
 * the limit of one mutant. `--record` keeps the results; with `--named`, those of the killed. Fails if a mutant survives that is not recorded as surviving, or is stale.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    shard: { type: 'string' },
    workers: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '60' },
    named: { type: 'boolean' },
    record: { type: 'boolean' },
  },
});
/** No mutant begins after this. */
const wholeLimitMs = 2 * 60 * 60_000;
const begin = performance.now();
const recorded = readRecorded();
const chosen = choose(areas, values);
const stale = chosen.filter((mutant) => staleness(mutant) !== undefined);
for (const mutant of stale) console.log(`STALE     ${mutant.name}: ${staleness(mutant)}`);

const names = promiseMutants.map(({ name }) => name);
const verdicts = new Map<string, Verdict>();
const graph = values.named ? undefined : new ImportGraph();
const limitMs = Number(values.seconds) * 1_000;
const unchanged = new UnchangedRuns();
const runners = Array.from({ length: Number(values.workers) }, () => new SuiteRunner());
await mapInParallel(
  chosen.filter((mutant) => !stale.includes(mutant)),
  runners.length,
  async (mutant) => {
    const runner = runners.pop();
    if (!runner || performance.now() - begin > wholeLimitMs) return;
    const start = performance.now();
    const verdict = await playMutant(mutant, { runner, graph, unchanged, limitMs });
    runners.push(runner);
    verdicts.set(mutant.name, verdict);
    if (values.record && (isKill(verdict) || graph)) record(mutant.name, verdict, names);
    console.log(`${line(mutant, verdict)}, ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  },
);
for (const runner of runners) runner.close();

const killed = chosen.filter(({ name }) => isKill(verdicts.get(name)));
const survived = chosen.filter(({ name }) => verdicts.get(name)?.type === 'survived');
const broken = chosen.filter(({ name }) => verdicts.get(name)?.type === 'broken');
const unplayed = chosen.length - stale.length - verdicts.size;
const unexpected = survived.filter(({ name }) => !values.record && recorded[name] !== 'survives');
for (const { name } of unexpected)
  console.log(`Recorded as killed by ${recorded[name] ?? 'nothing yet'}: ${name}`);
if (unplayed > 0) console.log(`${unplayed} mutants were not played within two hours.`);
const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
console.log(`${chosen.length} mutants in ${minutes} minutes`);
console.log(`${killed.length} killed, ${survived.length} survived, ${stale.length + broken.length} stale`);
process.exit(unexpected.length + stale.length + broken.length + unplayed > 0 ? 1 : 0);

function isKill(verdict: Verdict | undefined): boolean {
  return verdict?.type === 'killed' || verdict?.type === 'hangs';
}

function staleness(mutant: PromiseMutant): string | undefined {
  try {
    checkMutant(mutant);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function line({ name, promise }: PromiseMutant, verdict: Verdict): string {
  switch (verdict.type) {
    case 'killed':
      return `killed    ${name} [${promise}] by ${verdict.by}\n            ${verdict.test}\n            ${verdict.why}`;
    case 'hangs':
      return `killed    ${name} [${promise}] by ${verdict.by}: hangs`;
    case 'survived':
      return `SURVIVED  ${name} [${promise}] ${verdict.suites} suites${verdict.isComplete ? '' : `, not killed in ${values.seconds} s`}`;
    case 'broken':
      return `STALE     ${name} [${promise}] does not load: ${verdict.why}`;
  }
}
