// depends on: only its imports
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The repository's root, with a trailing slash. */
export const rootUrl: URL = new URL('../../../', import.meta.url);

/** A change of one source file: a text that occurs exactly once, and its replacement. */
export type SourcePatch = {
  /** Relative to the repository's root, such as `lib/run/drive.ts`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

/** The product with one changed condition. Some test must fail. */
export type Mutant = SourcePatch & {
  /** Unique in its list, in kebab-case. */
  readonly name: string;
  /** Where the condition is in more than one place. */
  readonly also?: readonly SourcePatch[];
};

/** The changes of a mutant, in their order. */
export function patchesOf({ file, find, replace, also = [] }: Mutant): readonly SourcePatch[] {
  return [{ file, find, replace }, ...also];
}

/**
 * The text of a file with the mutant's changes.
 *
 * @returns the unchanged text if the mutant does not change this file
 * @throws Error with the mutant's name if a text to replace does not occur exactly once
 */
export function patchSource(mutant: Mutant, file: string, source: string): string {
  return patchesOf(mutant)
    .filter((patch) => patch.file === file)
    .reduce((text, { find, replace }) => {
      const count = text.split(find).length - 1;
      if (count !== 1) {
        throw new Error(
          `Mutant ${mutant.name} is stale: its text occurs ${count} times in ${file}:\n${find}`,
        );
      }
      return text.replace(find, () => replace);
    }, source);
}

/** @throws Error with the mutant's name if it does not match the current files, or changes nothing */
export function checkMutant(mutant: Mutant): void {
  for (const file of new Set(patchesOf(mutant).map((patch) => patch.file))) {
    const source = readFileSync(new URL(file, rootUrl), 'utf8');
    if (patchSource(mutant, file, source) === source) {
      throw new Error(`Mutant ${mutant.name} does not change ${file}.`);
    }
  }
}

/** The files that a mutant changes, as paths and as URLs. */
export function patchedFiles(mutant: Mutant): Map<string, { readonly url: string; readonly file: string }> {
  return new Map(
    patchesOf(mutant).map(({ file }) => {
      const url = new URL(file, rootUrl);
      return [fileURLToPath(url), { url: pathToFileURL(fileURLToPath(url)).href, file }];
    }),
  );
}
