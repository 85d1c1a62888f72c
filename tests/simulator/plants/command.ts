import { mapInParallel } from '../../../lib/rights/map-in-parallel.ts';
import { checkMutant } from '../../support/patches/patch.ts';
import { type Found, readFound, writeFound } from './found.ts';
import { plants } from './index.ts';
import { findPlant } from './search.ts';

type Range = { readonly base: number; readonly count: number };

/**
 * `npm run simulate -- --plant NAME`: searches for a seed that reveals a planted bug.
 *
 * @returns false if none of the seeds does
 */
export async function searchPlant(name: string, range: Range): Promise<boolean> {
  const plant = plants.find((each) => each.name === name);
  if (!plant) throw new Error(`Unknown plant ${name}. Known: ${plants.map((each) => each.name).join(', ')}.`);
  checkMutant(plant);
  const { finding, played } = await findPlant(name, range);
  if (!finding) {
    console.log(`${plant.rule} ${name}: NOT FOUND in ${played} schedules`);
    return false;
  }
  const { seed, invariant, message } = finding;
  console.log(
    `${plant.rule} ${name}: seed ${seed}, after ${played} schedules\n  ${invariant}\n  ${message.slice(0, 600)}`,
  );
  return true;
}

/**
 * `npm run simulate -- --find-plants`: searches for every planted bug whose seed no longer reveals it, and saves what
 * it finds.
 *
 * @returns false if one of them was not found; the others are saved
 */
export async function searchPlants(range: Range & { readonly workers: number }): Promise<boolean> {
  for (const plant of plants) checkMutant(plant);
  const known = new Map(readFound().map((each) => [each.plant, each]));
  const found = new Map<string, Found>();
  await mapInParallel(plants, range.workers, async ({ name, rule }) => {
    const old = known.get(name);
    const still = old && (await findPlant(name, { base: old.seed, count: 1 })).finding;
    const { finding } = still ? { finding: still } : await findPlant(name, range);
    console.log(`${rule} ${name}: ${finding ? `seed ${finding.seed}, ${finding.invariant}` : 'NOT FOUND'}`);
    if (!finding) return;
    const { seed, invariant } = finding;
    found.set(name, { plant: name, seed, invariant });
    writeFound(plants.flatMap((plant) => found.get(plant.name) ?? []));
  });
  return found.size === plants.length;
}
