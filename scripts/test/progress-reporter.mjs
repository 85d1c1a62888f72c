import { relative } from 'node:path';
import { leftOutOf, printLeftOut } from './left-out.mjs';
import { rerunCommand } from './rerun-command.mjs';
import { printSlowest } from './slowest.mjs';
import { countSuites, printSuites } from './suites.mjs';
import { clock, seconds } from './times.mjs';
import { expectedRest, readTimings, writeTimings } from './timings.mjs';

const isMatrix = process.env.COUNTERSIGN_TESTS === 'matrix';
const isVerbose = process.env.COUNTERSIGN_VERBOSE === '1';
/** Whether all files run: only such a run says how fast a run is. */
const isWhole = process.env.COUNTERSIGN_WHOLE_RUN === '1';
const rows = isMatrix ? 'matrix' : 'main';

/**
 * A Vitest reporter: a line for each file, with the time so far and the expected rest; for a failure, its error, its output
 * and the command that runs only this test; at the end, the suites, the slowest files and tests, and what was left out. What
 * passing tests print is not shown, unless `COUNTERSIGN_VERBOSE` is `1`.
 */
export default class ProgressReporter {
  /** Files that have ended, by path: `{ suite, ms, tests }`. */
  files = new Map();
  tests = [];
  leftOut = new Map();
  /** What tests have printed, by the id of the test or of the file. */
  output = new Map();
  start = performance.now();

  onInit(vitest) {
    this.vitest = vitest;
  }

  onTestRunStart(specifications) {
    this.start = performance.now();
    this.timings = readTimings(rows);
    this.left = new Set(specifications.map(({ moduleId }) => relative(process.cwd(), moduleId)));
    const suites = countSuites(specifications.map(({ project }) => project.name));
    console.log(`${specifications.length} files (${suites})${this.rest()}`);
  }

  onUserConsoleLog({ taskId, content, type }) {
    if (isVerbose) process[type].write(content);
    else this.output.set(taskId, [...(this.output.get(taskId) ?? []), content]);
  }

  onTestModuleEnd(module) {
    const file = relative(process.cwd(), module.moduleId);
    const tests = [...module.children.allTests()];
    const ran = tests.filter((test) => test.result().state !== 'skipped');
    const failed = ran.filter((test) => test.result().state === 'failed');
    const { duration, collectDuration, environmentSetupDuration } = module.diagnostic();
    const ms = duration + collectDuration + environmentSetupDuration;
    this.left.delete(file);
    this.files.set(file, { suite: module.project.name, ms, tests: ran.length });
    for (const test of ran) {
      this.tests.push({ ms: test.diagnostic()?.duration ?? 0, text: `${file}: ${test.fullName}` });
    }
    for (const [reason, count] of leftOutOf(module, tests)) {
      this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + count);
    }
    const failures = failed.length > 0 ? `, ${failed.length} failed` : '';
    const word = module.state() === 'failed' ? 'FAIL' : 'ok  ';
    const line = `${word} ${file} (${ran.length} tests${failures}, ${seconds(ms)})`;
    console.log(`${line.padEnd(84)} ${this.progress()}`);
    if (module.state() === 'failed') this.printFailures(module, file, failed);
    for (const { id } of [module, ...tests]) this.output.delete(id);
  }

  onTestRunEnd(_modules, errors) {
    const ms = performance.now() - this.start;
    if (errors.length > 0) this.vitest.logger.printUnhandledErrors(errors);
    const files = [...this.files].map(([text, file]) => ({ text, ...file }));
    printSlowest('files', files);
    printSlowest('tests', this.tests);
    printSuites(files);
    printLeftOut(this.leftOut);
    this.keepTimings(files, ms);
  }

  progress() {
    const count = `${this.files.size}/${this.files.size + this.left.size}`;
    return `${count}, ${clock(performance.now() - this.start)}${this.rest()}`;
  }

  rest() {
    if (this.left.size === 0) return '';
    const ms = expectedRest(this.timings, {
      done: [...this.files.keys()],
      left: [...this.left],
      elapsedMs: performance.now() - this.start,
      workers: this.vitest.config.maxWorkers,
    });
    return ms === undefined ? '' : `, about ${clock(ms)} left`;
  }

  printFailures(module, file, failed) {
    for (const entity of [module, ...module.children.allSuites(), ...failed]) {
      const title = entity.type === 'test' ? entity.fullName : undefined;
      const errors = title === undefined ? entity.errors() : entity.result().errors;
      if (errors.length === 0) continue;
      console.log(`\n  ${title ?? 'Outside the tests'}`);
      for (const error of errors) {
        const options = { project: module.project, showCodeFrame: true };
        console.log(this.vitest.logger.formatError(error, options).output.trimEnd());
      }
      const output = this.output.get(entity.id);
      if (output !== undefined) console.log(`  It printed:\n${output.join('').trimEnd()}`);
      console.log(`  To run only this: ${rerunCommand({ file, title, isMatrix })}\n`);
    }
  }

  keepTimings(files, ms) {
    const ended = Object.fromEntries(
      files.map(({ text, ms, tests }) => [text, { ms: Math.round(ms), tests }]),
    );
    const speed = files.reduce((sum, file) => sum + file.ms, 0) / ms;
    const { timings } = this;
    if (isWhole) writeTimings(rows, { files: ended, speed });
    else writeTimings(rows, { ...timings, files: { ...timings.files, ...ended } });
  }
}
