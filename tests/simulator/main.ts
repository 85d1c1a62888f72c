import { runSeed } from './run-seed.ts';

const seed = Number(process.argv[2] ?? 1);
const count = Number(process.argv[3] ?? 1);
const start = performance.now();
const cpu = process.cpuUsage();
const kinds = new Map<string, number[]>();
const checked: Record<string, number> = {};
const messages = new Map<string, string>();
for (let each = seed; each < seed + count; each += 1) {
  const result = await runSeed(each);
  if (count === 1) console.log(result.trace.join('\n'), result);
  for (const [name, n] of Object.entries(result.checked)) checked[name] = (checked[name] ?? 0) + n;
  for (const { invariant, message } of result.violations) {
    const key = `${invariant}: ${message.replace(/call-\d+/g, 'call').replace(/c\d-\d/g, 'c').replace(/i\d\.\d+/g, 'i').slice(0, 130)}`;
    kinds.set(key, [...(kinds.get(key) ?? []), each]);
    messages.set(key, message.slice(0, 1500));
  }
}
for (const [key, seeds] of [...kinds].sort((a, b) => b[1].length - a[1].length)) console.log(seeds.length, key, seeds.slice(0, 6).join(','), '\n      ', messages.get(key)?.slice(0,600));
console.log(checked);
console.log((performance.now() - start) / count, 'ms a seed', process.cpuUsage(cpu).user / 1000 / count, 'cpu ms');
