import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.mjs';

const cache = 'node_modules/.cache';

/**
 * Lets the compiler write the declarations of lib/ into a folder of their own, so that the reference never depends on
 * what an older build left in dist/. About a second.
 *
 * @returns {Promise<string>} the folder, removed when this process ends
 * @throws {Error} with the compiler's output when it wrote nothing; what is wrong with types is another gate's concern
 */
export async function emitDeclarations() {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'api-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const compiler = 'node_modules/typescript/bin/tsc';
  const args = ['--project', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder];
  const { output } = await run(process.execPath, [compiler, ...args], { quiet: true });
  if (!existsSync(join(folder, 'flow/index.d.ts')))
    throw new Error(`No declarations were written.\n${output}`);
  return folder;
}
