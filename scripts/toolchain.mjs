import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './run.mjs';

/** The project's folder. The commands work from any directory. */
export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** What the tests and the gates keep between two runs. Tests of the runner set another folder. */
export const cache = process.env.COUNTERSIGN_CACHE ?? join(root, 'node_modules/.cache/countersign');

/** The folder of the packed library, for the tests of the package. */
export const packed = join(cache, 'packed');

const oldest = { node: 20, npm: 9 };
const newNode = 24;
const ownNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * Installs what is missing and returns the Node version that the project runs on, which npm installs. Plain JavaScript
 * without dependencies: it runs on the machine's own Node, before anything is installed.
 *
 * @returns {Promise<{ node: string, env: Record<string, string> }>} the path of Node 24, and the environment for
 * programs that run on it
 */
export async function prepareToolchain() {
  process.chdir(root);
  if (major(process.versions.node) < oldest.node) {
    stop(
      `Node ${process.versions.node} is too old.`,
      `Install Node ${oldest.node} or newer: https://nodejs.org`,
    );
  }
  await installPackages(root);
  return { node: await findNode(), env: { NEXT_TELEMETRY_DISABLED: '1' } };
}

/**
 * Installs the packages of a folder's package-lock.json. Fast if they are installed already.
 *
 * @param {string} folder
 * @param {{ flags?: string[], what?: string }} [options] `what`: how the packages are called in messages
 */
export async function installPackages(folder, { flags = [], what = 'packages' } = {}) {
  if (isInstalled(folder)) console.log(`${what[0].toUpperCase()}${what.slice(1)} are up to date.`);
  else await install(folder, { flags, what });
}

/** Whether node_modules matches package-lock.json, according to npm's own record. */
function isInstalled(folder) {
  const record = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages);
  return wanted.every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const found = installed[path];
    // Binaries for other platforms are optional and correctly absent.
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
}

async function install(folder, { flags, what }) {
  const npm = npmCommand();
  const { output } = await run(npm.file, [...npm.args, '--version'], { quiet: true, shell: npm.shell });
  const version = output.trim().split('\n').at(-1) ?? '';
  if (!(major(version) >= oldest.npm)) {
    stop(
      `npm ${version || '(none found)'} is too old.`,
      `Install npm ${oldest.npm} or newer: npm install -g npm`,
    );
  }
  console.log(`Installing ${what} (npm ci) ...`);
  // Some packages require a newer Node than the one that installs them. They run on the installed one.
  const always = ['--include=dev', '--engine-strict=false', '--loglevel=error', '--no-audit', '--no-fund'];
  const { code } = await run(npm.file, [...npm.args, 'ci', ...always, ...flags], {
    shell: npm.shell,
    cwd: folder,
  });
  if (code !== 0)
    stop('npm ci failed; its messages are above.', 'Fix what they report, then run this again.');
}

/** How to start npm: the one that runs this program, if any. */
export function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  if (/npm-cli\.c?js$/.test(script)) return { file: process.execPath, args: [script], shell: false };
  return { file: 'npm', args: [], shell: process.platform === 'win32' };
}

async function findNode() {
  for (const file of [ownNode, process.execPath]) {
    const { code, output } = await run(file, ['--version'], { quiet: true });
    if (code === 0 && major(output.trim().replace(/^v/, '')) >= newNode) return file;
  }
  return stop(
    `Node ${newNode} is missing: the package "node" downloads it in its install script, and that did not run.`,
    'Install scripts are disabled here (see: npm config get ignore-scripts).',
    'Allow this one: npm rebuild node --ignore-scripts=false',
    `Or run this command with Node ${newNode} or newer.`,
  );
}

/** @param {string} version */
function major(version) {
  return Number.parseInt(version, 10);
}

/**
 * @param {string[]} lines what happened, then what to do
 * @returns {never}
 */
function stop(...lines) {
  console.error(['', ...lines, ''].join('\n'));
  process.exit(1);
}
