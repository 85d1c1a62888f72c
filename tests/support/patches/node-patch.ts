import { registerHooks } from 'node:module';
import { type Mutant, patchedFiles, patchSource } from './patch.ts';

/**
 * Loads the files of a mutant with its changes, in plain Node. Call it before these files are first imported.
 *
 * @throws Error with the mutant's name, from the import of a file that does not match
 */
export function patchModules(mutant: Mutant): void {
  const files = new Map([...patchedFiles(mutant).values()].map(({ url, file }) => [url, file]));
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = files.get(url);
      if (file === undefined) return loaded;
      const { source } = loaded;
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source ?? new Uint8Array());
      return { ...loaded, source: patchSource(mutant, file, text) };
    },
  });
}
