import { spawn } from 'node:child_process';

/**
 * Runs a program and waits for it.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, shell?: boolean, cwd?: string }} [options] `quiet` collects
 * the output instead of printing it
 * @returns {Promise<{ code: number, output: string }>} `code` is 1 if a signal ended it or it could not start
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
 * Runs a program in place of this process: signals are passed on, and its exit code becomes this process's exit code.
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
 * Calls back when this program should end. npm does not forward SIGTERM: it exits and leaves its children running. So
 * a parent that has exited counts as that signal.
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
