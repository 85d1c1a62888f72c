import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the image has no files with secrets of this machine', () => {
  const ignored = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.env*', '.countersign', '.git']));
});
