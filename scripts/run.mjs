import { spawn } from 'node:child_process';

/**
 * Runs a program and waits for it.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, shell?: boolean }} [options] `quiet` keeps the
 *   output instead of showing it
 * @returns {Promise<{ code: number, output: string }>} `code` is 1 when a signal ended it or it never began
 */
export function run(file, args, { env = {}, quiet = false, shell = false } = {}) {
  const stdio = quiet ? 'pipe' : 'inherit';
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', stdio, stdio],
    shell,
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
 * Runs a program in this one's place: signals are passed on, and its exit code becomes ours.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export function become(file, args, env) {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
    process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
