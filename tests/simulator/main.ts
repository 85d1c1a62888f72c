import { runSeed } from './run-seed.ts';

const seed = Number(process.argv[2] ?? 1);
const count = Number(process.argv[3] ?? 1);
const start = performance.now();
for (let each = seed; each < seed + count; each += 1) {
  const result = await runSeed(each);
  if (count === 1) console.log(result.trace.join('\n'));
  if (result.violations.length > 0 || count === 1) console.log(each, result.digest, result.trace.length, result.violations, result.checked);
}
console.log((performance.now() - start) / count, 'ms a seed');
