import { spawn } from 'node:child_process';

/**
 * Runs a program and waits for it.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, shell?: boolean, cwd?: string }} [options] `quiet` keeps the
 *   output instead of showing it
 * @returns {Promise<{ code: number, output: string }>} `code` is 1 when a signal ended it or it never began
 */
export function run(file, args, { env = {}, quiet = false, shell = false, cwd } = {}) {
  const stdio = quiet ? 'pipe' : 'inherit';
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', stdio, stdio],
    shell,
    cwd,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs a program in this one's place: whatever ends this one ends it, and its exit code becomes ours.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export function become(file, args, env) {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
  onEnd((signal) => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}

/**
 * Calls back when somebody wants this program to end. npm does not pass a SIGTERM on: it dies and leaves its
 * children alone, so a parent that is gone counts as that signal.
 *
 * @param {(signal: NodeJS.Signals) => void} end
 */
export function onEnd(end) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => end(signal));
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end('SIGTERM');
  }, 500).unref();
}
