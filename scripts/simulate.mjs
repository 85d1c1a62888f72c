import { become } from './run.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm run simulate [-- --count N] [--base N] [--workers N] [--seed N]`: installs what is missing, and runs the
 * simulator.
 */
const { node, env } = await prepareToolchain();
const conditions = ['-C', 'countersign-source', '--no-warnings'];
become(node, [...conditions, 'tests/simulator/main.ts', ...process.argv.slice(2)], env);
