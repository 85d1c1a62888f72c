import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache } from '../toolchain.mjs';

/**
 * How long the files took when they last ran, for the expected rest of the next run and for `npm run test:pyramid`.
 *
 * @typedef {{ ms: number, tests: number }} FileTiming `ms`: with its imports, setup and hooks
 * @typedef {{ files: Record<string, FileTiming>, speed?: number }} Timings `files` by path from the project's folder; `speed`: the
 * time of the files per time of the last whole run, about the number of files that ran at the same time
 */

/** @param {'main' | 'matrix'} rows the rows of long tables that the run includes */
const fileOf = (rows) => join(cache, `timings-${rows}.json`);

/** @returns {Timings} empty before the first run */
export function readTimings(rows) {
  const file = fileOf(rows);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { files: {} };
}

/** @param {Timings} timings replaces what is stored */
export function writeTimings(rows, timings) {
  const file = fileOf(rows);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(timings, undefined, 1));
}

/**
 * Expects each file to take as long as it did, and the rest of the run to go as fast as what has been run. Before there is
 * enough of that, as fast as the last whole run. A file without a record counts as an average one.
 *
 * @param {Timings} timings
 * @param {{ done: readonly string[], left: readonly string[], elapsedMs: number, workers: number }} run
 * @returns {number | undefined} milliseconds; undefined if less than half of the files have a record
 */
export function expectedRest({ files, speed }, { done, left, elapsedMs, workers }) {
  const all = [...done, ...left];
  const known = all.filter((path) => path in files).map((path) => files[path].ms);
  if (known.length * 2 < all.length || known.length === 0) return undefined;
  const average = sum(known) / known.length;
  const msOf = (paths) => sum(paths.map((path) => files[path]?.ms ?? average));
  const [doneMs, leftMs] = [msOf(done), msOf(left)];
  const isEnough = doneMs >= (doneMs + leftMs) / 10;
  return leftMs / (isEnough && elapsedMs > 0 ? doneMs / elapsedMs : (speed ?? workers));
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
