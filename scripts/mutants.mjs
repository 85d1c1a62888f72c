import { resolve } from 'node:path';
import { become } from './run.mjs';
import { prepareToolchain } from './toolchain.mjs';

/** `npm run mutants [-- --only NAME|AREA] [--shard 1/4] [--workers N] [--record]`: installs what is missing, and runs the guard. */
const { node, env } = await prepareToolchain();
const conditions = ['-C', 'countersign-source', '--no-warnings'];
become(node, [...conditions, 'tests/mutants/guard/main.ts', ...process.argv.slice(2)], {
  ...env,
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/countersign/compiled'),
});
