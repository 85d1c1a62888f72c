// depends on: lib app
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** How many spreads are left. Lower a number when there are fewer; a new one is a field that may be `undefined`. */
const most = { conditional: 140, literal: 40 };

/** `...(x && { x })` and `...(x === undefined ? {} : { x })`, if no call in the condition has a call within. */
const conditional = /\.\.\.\((?:[^()]|\([^()]*\))*?(?:&&|\?)\s*\{/g;
/** `...{ a, b }`: serves only the layout. */
const literal = /\.\.\.\{/g;

it('leaves absent fields to the codec: no new spread drops one, and none is there for the layout', () => {
  const files = globSync('{lib,app}/**/*.{ts,tsx}').filter((file) => !/node_modules|\.next/.test(file));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const count = { conditional: countOf(text, conditional), literal: countOf(text, literal) };
  expect(count.conditional).toBeLessThanOrEqual(most.conditional);
  expect(count.literal).toBeLessThanOrEqual(most.literal);
});

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
