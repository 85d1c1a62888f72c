import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkMutant } from '../../support/patches/patch.ts';
import { plants } from './index.ts';
import { findPlant } from './search.ts';

const { base, count, plant: names = [] } = parseArgs({
  options: { base: { type: 'string', default: '1' }, count: { type: 'string', default: '2000' }, plant: { type: 'string', multiple: true } },
}).values;
for (const plant of plants) checkMutant(plant);
const due = plants.filter(({ name }) => names.length === 0 || names.includes(name));
for (const { name, rule } of due) {
  const begin = performance.now();
  const { finding, played } = await findPlant(name, { base: Number(base), count: Number(count) });
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  console.log(`${rule} ${name}: ${finding ? `seed ${finding.seed}, ${finding.invariant}: ${finding.message.slice(0, 300)}` : 'NOT FOUND'} (${played} played, ${seconds} s)`);
}
