import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The last requirement of each dialect, and the letter of their ids. */
const contracts = [
  { dialect: 'tool-events', letter: 'A', requirements: 26 },
  { dialect: 'two-step-stream', letter: 'B', requirements: 18 },
  { dialect: 'responses', letter: 'C', requirements: 18 },
  { dialect: 'chat-socket', letter: 'D', requirements: 26 },
] as const;

/** Requirements that no longer apply. Their numbers are not used again. */
const dropped: ReadonlySet<string> = new Set(['B11']);

const folders = ['../', '../../e2e/'].map((folder) => new URL(folder, import.meta.url));
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)(dialects\/|dialect-|responses-|openapi).*[.]test[.]tsx?$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8')),
);

/** A call that makes a real server. */
const makesServer = /\bserve[A-Z]\w*\(|\w+Gateway\(/;

/** The ids in the titles of tests whose bodies drive a server. */
const proven = new Set(files.flatMap(idsProvenIn));

function idsProvenIn(source: string): string[] {
  // A server is made by `serve…` or `…Gateway`, or by a function of the same file that calls one of these.
  const makers = [...source.matchAll(/^(?:async )?function (\w+)[\s\S]*?^}/gm)]
    .filter(([body]) => makesServer.test(body))
    .map(([, name]) => `\\b${name}\\(`);
  const makes = new RegExp([makesServer.source, ...makers].join('|'));
  const tests = source.split(/^(?= {0,4}(?:it|test|clause)\b)/m).slice(1);
  return tests
    .filter((test) => makes.test(test))
    .flatMap((test) => [...titleOf(test).matchAll(/\b[ABCD]\d{1,2}\b/g)].map(([id]) => id));
}

/** Ids are in brackets at a title's end, or at its beginning. Tables of `it.each` come before the title. */
function titleOf(test: string): string {
  const ids = /\[((?:[A-Z]\d{1,2}(?:, )?)+)\]['"`]|['"`]((?:[ABCD]\d{1,2}[ ,:]+)+)/.exec(test);
  return ids?.[1] ?? ids?.[2] ?? '';
}

describe('test coverage of the dialects’ requirements', () => {
  const required = contracts
    .flatMap(({ dialect, letter, requirements }) =>
      Array.from({ length: requirements }, (_, index) => ({ dialect, id: `${letter}${index + 1}` })),
    )
    .filter(({ id }) => !dropped.has(id));

  it.each(required)('$id of $dialect has a test against a real server', ({ id }) => {
    expect(proven).toContain(id);
  });
});
