import { join } from 'node:path';
import { become } from './run.mjs';
import { installPackages, prepareToolchain, root } from './toolchain.mjs';

/**
 * `npm run bench [-- quick] [-- only=flows,...]`: installs what is missing, including the compared libraries, and runs
 * the benchmark. Install scripts of the compared libraries do not run.
 */
const { node, env } = await prepareToolchain();
await installPackages(join(root, 'tests/bench/peers'), { flags: ['--ignore-scripts'], what: 'bench peers' });
become(node, ['-C', 'countersign-source', 'tests/bench/run.ts', ...process.argv.slice(2)], env);
