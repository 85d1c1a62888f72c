import type { PromiseMutant } from '../promise-mutant.ts';

/** Mutants by area, as the guard can be asked for them. */
export type Areas = Readonly<Record<string, readonly PromiseMutant[]>>;

/**
 * The mutants of this run.
 *
 * @param only names of mutants or of areas; without any, all mutants
 * @param shard such as `1/4`: every fourth, beginning with the first
 * @throws Error if a name is unknown or the shard is not of this form
 */
export function choose(
  areas: Areas,
  {
    only = Object.keys(areas),
    shard = '1/1',
  }: { readonly only?: readonly string[]; readonly shard?: string },
): PromiseMutant[] {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (Number(part) < 1 || !(Number(part) <= Number(parts))) {
    throw new Error(`--shard ${shard} is no shard, such as 1/4.`);
  }
  const chosen = only.flatMap((name) => named(areas, name));
  return [...new Set(chosen)].filter((_, index) => index % Number(parts) === Number(part) - 1);
}

function named(areas: Areas, name: string): readonly PromiseMutant[] {
  const found =
    areas[name] ??
    Object.values(areas)
      .flat()
      .filter((mutant) => mutant.name === name);
  if (found.length > 0) return found;
  throw new Error(`No mutant and no area is called ${name}. Areas: ${Object.keys(areas).join(', ')}.`);
}
