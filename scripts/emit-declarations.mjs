import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const cache = 'node_modules/.cache';

/**
 * Compiles the declarations of lib/ into a separate folder, for the reference and for the package. Takes about a second.
 *
 * @returns {Promise<string>} the folder, removed when this process ends
 * @throws {Error} with the compiler's output if it wrote nothing; type errors are checked separately
 */
export async function emitDeclarations() {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'declarations-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const compiler = 'node_modules/typescript/bin/tsc';
  const args = ['--project', 'tsconfig.build.json', '--outDir', folder];
  const { output } = await run(process.execPath, [compiler, ...args], { quiet: true });
  if (!existsSync(join(folder, 'flow/index.d.ts')))
    throw new Error(`No declarations were written.\n${output}`);
  return folder;
}
