import { median } from './distribution.ts';

/** A value of several rounds. */
export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/** The ratios to another series, round by round, since the machine drifts. */
export function ratiosTo(base: readonly number[], values: readonly number[]): Spread {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** A spread as a table shows it: `1.2 (1.1-1.4)`. */
export function shownSpread({ median: middle, least, most }: Spread): string {
  const [shown, from, to] = [middle, least, most].map((value) => String(Number(value.toPrecision(2))));
  return `${shown} (${from}-${to})`;
}
