import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Does something that must not happen twice at the same time, such as a build: another process that does it is waited for.
 *
 * @template Result
 * @param {string} file exists during the work, and contains the id of the process. One that a killed process has left behind is
 * removed
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function oneAtATime(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) await setTimeout(100);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isRunning(file)) rmSync(file, { force: true });
    return false;
  }
}

function isRunning(file) {
  try {
    const id = Number(readFileSync(file, 'utf8'));
    // Empty for the moment between its creation and its content.
    if (id > 0) process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM' || error.code === 'ENOENT';
  }
}
