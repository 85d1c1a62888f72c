import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/read-the-log.md'), 'utf8');

it('each message that the guide quotes is logged by the library', () => {
  const sources = globSync('lib/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const quoted = [...guide.matchAll(/^\| `([A-Z][^`]+)`/gm)].map(([, message]) => `'${message}'`);
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((message) => !sources.some((source) => source.includes(message)))).toEqual([]);
});
