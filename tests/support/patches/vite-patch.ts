import type { Plugin } from 'vite';
import { type Mutant, patchedFiles, patchSource } from './patch.ts';

/**
 * Loads the files of a mutant with its changes, in a Vitest run.
 *
 * @param mutant a function returns the mutant of the time at which a file is loaded; `undefined` loads files as they are
 */
export function patchPlugin(mutant: Mutant | (() => Mutant | undefined)): Plugin {
  const current = typeof mutant === 'function' ? mutant : () => mutant;
  return {
    // Vitest keeps transformed files by the names of the plugins: two mutants must not share them.
    name: typeof mutant === 'function' ? 'mutant' : `mutant-${mutant.name}`,
    enforce: 'pre',
    transform(code, id) {
      const loaded = current();
      const file = loaded && patchedFiles(loaded).get(id.split('?')[0] ?? id)?.file;
      if (!loaded || file === undefined) return undefined;
      return { code: patchSource(loaded, file, code), map: null };
    },
  };
}
