import type { PromiseMutant } from '../promise-mutant.ts';

/** Mutants by area, as the guard can be asked for them. */
export type Areas = Readonly<Record<string, readonly PromiseMutant[]>>;

/**
 * The mutants of this run.
 *
 * @param only the name of a mutant or of an area
 * @param shard such as `1/4`: every fourth, beginning with the first
 * @throws Error if the name is unknown or the shard is not of this form
 */
export function choose(
  areas: Areas,
  { only, shard = '1/1' }: { readonly only?: string; readonly shard?: string },
): PromiseMutant[] {
  const all = Object.values(areas).flat();
  const chosen = only === undefined ? all : (areas[only] ?? all.filter(({ name }) => name === only));
  if (chosen.length === 0) {
    throw new Error(`No mutant and no area is called ${only}. Areas: ${Object.keys(areas).join(', ')}.`);
  }
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (Number(part) < 1 || !(Number(part) <= Number(parts)))
    throw new Error(`--shard ${shard} is no shard, such as 1/4.`);
  return chosen.filter((_, index) => index % Number(parts) === Number(part) - 1);
}
