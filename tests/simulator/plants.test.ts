import { afterAll, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { checkMutant } from '../support/patches/patch.ts';
import { exceptions } from './plants/exceptions.ts';
import { readFound } from './plants/found.ts';
import { plants } from './plants/index.ts';
import { plantedRules } from './plants/rules.ts';
import { type Finding, playSeeds } from './plants/search.ts';

const again = "The simulator's random choices have changed. Search again: npm run simulate -- --find-plants";
/** The bugs of `npm test`: one in what runs, one in who may run it, one in the store, one in a dialect. A process for each. */
const representative = new Set([
  'an-edit-is-dropped',
  'a-call-starts-without-its-lease',
  'the-store-lets-a-stopped-run-continue',
  'a-two-step-stream-is-not-reset',
]);
const found = readFound();
const played = rowsOfThisRun(found, ({ plant }) => representative.has(plant));
const shown = new Map<string, Finding>();

afterAll(() => {
  const names = played.map(({ plant }) => plant);
  const rows = plants
    .filter(({ name }) => names.includes(name))
    .map(({ name, rule }) => {
      const finding = shown.get(name);
      return `  ${rule.padEnd(19)} ${name.padEnd(52)} ${finding ? `${String(finding.seed).padStart(6)}  ${finding.invariant}` : 'NOT SHOWN'}`;
    });
  const not = exceptions.map(({ rule, what, where }) => `  ${rule}: ${what} (${where})`);
  console.log(`Each planted bug, the seed that reveals it, and the broken promise:\n${rows.join('\n')}`);
  console.log(`Not covered here, but by other suites:\n${not.join('\n')}`);
});

it.each(played)('$plant: seed $seed reveals it ($invariant)', async ({ plant, seed, invariant }) => {
  const [finding] = await playSeeds([seed], plant);
  expect(finding?.invariant, again).toBe(invariant);
  if (finding) shown.set(plant, finding);
});

it('The same seeds break nothing without a bug', async () => {
  expect(await playSeeds(played.map(({ seed }) => seed))).toEqual([]);
});

it('Every planted bug has its seed, and every rule has bugs', () => {
  for (const plant of plants) checkMutant(plant);
  expect(found.map(({ plant }) => plant)).toEqual(plants.map(({ name }) => name));
  expect(plants.length).toBeGreaterThanOrEqual(20);
  expect([...new Set(plants.map(({ rule }) => rule))]).toEqual(plantedRules.map(({ rule }) => rule));
});
