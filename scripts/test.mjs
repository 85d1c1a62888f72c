import { become } from './run.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * `npm test`: installs what is missing, then runs every gate and, at the same time, the tests. It ends with a line for each
 * failure, `failed: <what>`, and the command that runs only this test, and with `N passed, N failed`: one for each test, one for
 * each gate.
 *
 * `--quick` (`npm run test:quick`) omits whatever needs a build, a browser, a database server or a lot of time.
 * `--matrix` (`npm run test:matrix`) runs only the rows of long tables that `npm test` omits, and no gate.
 * `--changed` or `--changed=<revision>` runs only the tests and the gates that the files that differ from HEAD or from a revision
 * can affect, and says why.
 * `--verbose` also prints what passing tests print.
 */
// The checks use installed packages, and need a newer Node than the one that starts this program.
const { node, env } = await prepareToolchain();
become(node, ['scripts/test/main.mjs', ...process.argv.slice(2)], env);
