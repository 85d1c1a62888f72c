import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The repository's root, with a slash at its end. */
export const rootUrl: URL = new URL('../../../', import.meta.url);

/** A change of one source file: a text that stands there exactly once, and what takes its place. */
export type SourcePatch = {
  /** From the repository's root, such as `lib/run/drive.ts`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

/** A product with one condition changed, to see which test notices. */
export type Mutant = {
  /** Unique among its siblings, in kebab-case. */
  readonly name: string;
  readonly patches: readonly SourcePatch[];
};

/**
 * A file's text with the mutant's changes.
 *
 * @returns the text as it is, when the mutant does not touch this file
 * @throws Error naming the mutant, when a text to replace does not occur exactly once
 */
export function patchSource({ name, patches }: Mutant, file: string, source: string): string {
  return patches
    .filter((patch) => patch.file === file)
    .reduce((text, { find, replace }) => {
      const count = text.split(find).length - 1;
      if (count !== 1) {
        throw new Error(`Mutant ${name} is stale: its text occurs ${count} times in ${file}:\n${find}`);
      }
      return text.replace(find, () => replace);
    }, source);
}

/** @throws Error naming the mutant, when it does not fit the files as they are, or changes nothing */
export function checkMutant(mutant: Mutant): void {
  for (const file of new Set(mutant.patches.map((patch) => patch.file))) {
    const source = readFileSync(new URL(file, rootUrl), 'utf8');
    if (patchSource(mutant, file, source) === source) {
      throw new Error(`Mutant ${mutant.name} does not change ${file}.`);
    }
  }
}

/** The files that a mutant changes, as paths and as URLs. */
export function patchedFiles({
  patches,
}: Mutant): Map<string, { readonly url: string; readonly file: string }> {
  return new Map(
    patches.map(({ file }) => {
      const url = new URL(file, rootUrl);
      return [fileURLToPath(url), { url: pathToFileURL(fileURLToPath(url)).href, file }];
    }),
  );
}
