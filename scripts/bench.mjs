import { join } from 'node:path';
import { become } from './run.mjs';
import { installPackages, prepareToolchain, root } from './toolchain.mjs';

/**
 * `npm run bench [-- quick] [-- only=flows,...]`: installs what is missing, the bench's peers included, and
 * measures. Peers are run, never built: no install script of theirs is.
 */
const { node, env } = await prepareToolchain();
await installPackages(join(root, 'tests/bench/peers'), { flags: ['--ignore-scripts'], what: 'bench peers' });
become(node, ['-C', 'countersign-source', 'tests/bench/run.ts', ...process.argv.slice(2)], env);
