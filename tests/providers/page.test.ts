import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { providers } from './support/providers.ts';
import { sceneGroups } from './support/scenes.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/providers.md');

it('docs/providers.md names the services, and the packages with their versions', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  const [, table = ''] = page.split('| service | package | version |\n|---|---|---|\n');
  const rows = table
    .split('\n\n')[0]
    ?.split('\n')
    .map((row) => row.replace(/,? (with|\()[^|]*/, ' '));
  expect(rows).toEqual(
    providers.map(
      ({ name, packageName }) => `| ${name} | \`${packageName}\` | ${devDependencies[packageName]} |`,
    ),
  );
});

it.each(sceneGroups)('docs/providers.md lists the scenes: %s', (about, scenes) => {
  const [, section = ''] = page.split(`### ${about}\n\n`);
  expect(section.split('\n\n')[0]?.split('\n')).toEqual(scenes.map(({ name }) => `- ${name}`));
});
