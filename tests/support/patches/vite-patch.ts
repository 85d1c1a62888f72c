import type { Plugin } from 'vite';
import { type Mutant, patchedFiles, patchSource } from './patch.ts';

/** Loads the files of a mutant with its changes, in a Vitest run. */
export function patchPlugin(mutant: Mutant): Plugin {
  const files = patchedFiles(mutant);
  return {
    name: `mutant-${mutant.name}`,
    enforce: 'pre',
    transform(code, id) {
      const file = files.get(id.split('?')[0] ?? id)?.file;
      return file === undefined ? undefined : { code: patchSource(mutant, file, code), map: null };
    },
  };
}
