// depends on: lib app
import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { functionTypes, nodesOf } from '../support/syntax-tree.ts';

const sources = new Map(
  globSync('{lib,app}/**/*.{ts,tsx}')
    .filter((file) => !/node_modules|\.next/.test(file))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);

/** In lines. */
const longest = { file: 300, function: 100 };

/** How many spreads are left. Lower a number when there are fewer; a new one is a field that may be `undefined`. */
const most = { conditional: 90, literal: 40 };

/** `...(x && { x })` and `...(x === undefined ? {} : { x })`, if no call in the condition has a call within. */
const conditional = /\.\.\.\((?:[^()]|\([^()]*\))*?(?:&&|\?)\s*\{/g;
/** `...{ a, b }`: serves only the layout. */
const literal = /\.\.\.\{/g;

it('leaves absent fields to the codec: no new spread drops one, and none is there for the layout', () => {
  const text = [...sources.values()].join('\n');
  const count = { conditional: countOf(text, conditional), literal: countOf(text, literal) };
  expect(count.conditional).toBeLessThanOrEqual(most.conditional);
  expect(count.literal).toBeLessThanOrEqual(most.literal);
});

it('has no file of more than 300 lines, and no function of more than 100', () => {
  const tooLong = [...sources].flatMap(([file, text]) => {
    const { program } = parseSync(file, text);
    const functions = nodesOf(program).filter(({ type }) => functionTypes.includes(type));
    const long = functions.filter(({ start, end }) => linesOf(text.slice(start, end)) > longest.function);
    const places = long.map(({ start }) => `${file}:${linesOf(text.slice(0, start))}`);
    return linesOf(text.trimEnd()) > longest.file ? [file, ...places] : places;
  });
  expect(tooLong).toEqual([]);
});

function linesOf(text: string): number {
  return text.split('\n').length;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
