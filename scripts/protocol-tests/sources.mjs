import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClauses } from '../../lib/testing/clauses/adr-clauses.ts';
import { idsIn } from './ids.mjs';

const requirement = /^(?:[ABCDHPST]\d{1,2}(?:-[ABCDHPST]\d{1,2})?|H-[A-Z][a-z]+)$/;
const decision = /^ADR (\d{4})(\.\d+)?$/;
/** Published standards. Whether the section exists is not checked. */
const standard = /^(?:RFC \d+|WCAG \d\.\d) .+$/;

/**
 * The `@source` tags of a file, each with the rest of its line.
 *
 * @param {string} path
 * @returns {{ text: string, line: number }[]}
 */
export function sourcesIn(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const text = /^\s*(?:\/\*\*.*|\*.*)@source (.*?)\s*(?:\*\/.*)?$/.exec(line)?.[1];
      return text === undefined ? [] : [{ text, line: index + 1 }];
    });
}

/**
 * The fault of a tag; `undefined` if it is a list of existing ids and decisions, such as `T1-T3, H2, ADR 0019`.
 *
 * @param {string} text
 * @param {{ ids: ReadonlySet<string>, decisions: ReadonlySet<string> }} known
 */
export function faultOf(text, { ids, decisions }) {
  for (const item of text.split(', ')) {
    if (standard.test(item)) continue;
    const [, number, clause] = decision.exec(item) ?? [];
    if (number !== undefined) {
      if (!decisions.has(`${number}${clause ?? ''}`)) return `there is no ${item}`;
      continue;
    }
    if (!requirement.test(item)) return `"${item}" is neither an id nor a decision`;
    const unknown = idsIn(item).find((id) => !ids.has(id));
    if (unknown !== undefined) return `there is no requirement ${unknown}`;
  }
  return undefined;
}

/**
 * The decisions and their clauses, and the requirements that clauses cite.
 *
 * @param {string} folder
 * @returns {{ decisions: Set<string>, cited: { file: string, ids: string[] }[] }} `decisions` such as `0019` and `0019.4`
 */
export function readDecisions(folder) {
  const decisions = new Set();
  const cited = [];
  for (const file of readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name))) {
    decisions.add(file.slice(0, 4));
    for (const { id, sentence } of readClauses(file, readFileSync(join(folder, file), 'utf8'))) {
      decisions.add(id);
      const [, ids = ''] = /\(([^()]*)\)\.?$/.exec(sentence) ?? [];
      if (idsIn(ids).length > 0) cited.push({ file, ids: idsIn(ids) });
    }
  }
  return { decisions, cited };
}
