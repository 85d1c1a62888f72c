import { parseArgs } from 'node:util';
import { patchModules } from '../../support/patches/node-patch.ts';
import { plants } from './index.ts';
import type { Finding } from './search.ts';

/**
 * Plays seeds with a planted bug, up to the first seed that breaks an invariant, and prints the finding as JSON. Each
 * bug needs its own process, because a module is loaded once.
 */
const { plant: name, seeds = '' } = parseArgs({
  options: { plant: { type: 'string' }, seeds: { type: 'string' } },
}).values;
const plant = plants.find((each) => each.name === name);
if (name !== undefined && !plant) throw new Error(`Unknown plant ${name}.`);
if (plant) patchModules(plant);

const { runSeed } = await import('../run-seed.ts');
const findings: Finding[] = [];
for (const seed of seeds.split(',').map(Number)) {
  const { violations } = await runSeed(seed);
  const [first] = violations;
  if (!first) continue;
  findings.push({ seed, ...first });
  if (plant) break;
}
process.stdout.write(JSON.stringify(findings));
