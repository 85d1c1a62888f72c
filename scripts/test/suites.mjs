import { clock } from './times.mjs';

/** @param {readonly string[]} names one for each file @returns {string} such as `unit 115, faults 18` */
export function countSuites(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

/**
 * Prints how many files and tests each suite had, and the sum of their times. Files run side by side: the run is shorter.
 *
 * @param {readonly { suite: string, ms: number, tests: number }[]} files
 */
export function printSuites(files) {
  console.log('\nSuites:');
  for (const [suite, ofSuite = []] of Object.entries(Object.groupBy(files, (file) => file.suite))) {
    const sum = (key) => ofSuite.reduce((total, file) => total + file[key], 0);
    const counts = `${String(ofSuite.length).padStart(4)} files ${String(sum('tests')).padStart(5)} tests`;
    console.log(`  ${suite.padEnd(10)} ${counts} ${clock(sum('ms')).padStart(6)}`);
  }
}
