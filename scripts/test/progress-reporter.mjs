import { relative } from 'node:path';

const shown = 20;

/** A Vitest reporter that prints the slowest files, including their hooks and imports, and the slowest tests. */
export default class SlowestReporter {
  files = [];
  tests = [];

  onTestModuleEnd(module) {
    const { duration, collectDuration, environmentSetupDuration } = module.diagnostic();
    const file = relative(process.cwd(), module.moduleId);
    this.files.push({ ms: duration + collectDuration + environmentSetupDuration, text: file });
    for (const test of module.children.allTests()) {
      this.tests.push({ ms: test.diagnostic()?.duration ?? 0, text: `${file}: ${test.fullName}` });
    }
  }

  onTestRunEnd() {
    print('files', this.files);
    print('tests', this.tests);
  }
}

/**
 * @param {string} what
 * @param {{ ms: number, text: string }[]} entries
 */
function print(what, entries) {
  const slowest = entries.toSorted((a, b) => b.ms - a.ms).slice(0, shown);
  console.log(`\nThe slowest ${slowest.length} ${what}:`);
  for (const { ms, text } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${text}`);
}
