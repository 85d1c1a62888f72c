import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run bench:check`: exits with 1, and names the files, if the library or its benchmark changed since the run whose
 * figures the documents show. Before a release, `npm run bench -- publish` measures again. An argument: the folder of another repository.
 */
const root = process.argv[2] ?? join(import.meta.dirname, '..');
const { commit, at } = JSON.parse(readFileSync(join(root, 'docs/performance.json'), 'utf8'));
const measured = ['lib', 'tests/bench', 'package-lock.json'];
const known = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;
const changed = known
  ? execFileSync('git', ['diff', '--name-only', commit, 'HEAD', '--', ...measured], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean)
  : [];

if (!known) console.error(`The figures are of ${commit}, which this repository does not have.`);
else if (changed.length > 0) {
  console.error(`Changed since the figures were measured (${commit}, ${at}):\n${changed.join('\n')}`);
} else console.log(`The figures are of ${commit}, and what they measure is the same now.`);
process.exitCode = known && changed.length === 0 ? 0 : 1;
