import { registerHooks } from 'node:module';
import { type Mutant, patchedFiles, patchSource } from './patch.ts';

/**
 * Loads a mutant's files changed, in plain Node. Call it before the first import of what they belong to.
 *
 * @throws Error naming the mutant, from the import that loads a file it does not fit
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
