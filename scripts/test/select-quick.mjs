import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../toolchain.mjs';
import { companyOf } from './company-of.mjs';

/** One thing at a time, and the rules of the flow. */
const folders = /^tests\/(unit|contract\/flow)\//;

/** They start compilers, Vitest or commands, or play many turns. Others start a database server. */
const slow =
  /\/(adr-node-test|api-reference|changed-selection|flow-properties|import-rules|protocol-tests|react-form-fields|rehearse|run-report|seams|snippets)\.test\.tsx?$/;

/**
 * The files of `npm run test:quick`, and why it omits the others. Their number follows from the limit of 45 seconds: half of it is
 * for the gates.
 *
 * @param {readonly string[]} files all
 * @param {(file: string) => string} [sourceOf]
 * @returns {{ files: string[], leftOut: [count: number, reason: string][] }}
 */
export function selectQuick(files, sourceOf = (file) => readFileSync(join(root, file), 'utf8')) {
  const quick = [];
  const others = [];
  const counts = { company: 0, slow: 0 };
  for (const file of files) {
    if (!folders.test(file)) others.push(file.split('/')[1]);
    else if (slow.test(file) || sourceOf(file).includes('setUpPostgres')) counts.slow += 1;
    else if (companyOf(sourceOf(file))) counts.company += 1;
    else quick.push(file);
  }
  const names = [...new Set(others)].map((name) => (name === 'contract' ? 'contract except flow' : name));
  return {
    files: quick,
    leftOut: [
      [others.length, `of ${names.join(', ')}`],
      [counts.company, 'that cannot share the process of their folder'],
      [counts.slow, 'that start a database server, compilers, Vitest or commands, or play many turns'],
    ],
  };
}
