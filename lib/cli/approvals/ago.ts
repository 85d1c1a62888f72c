const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** A length of time in its largest unit: `5 min`. Zero for a negative one. @param ms milliseconds */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [size, name] = units.find(([least]) => seconds >= least) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${name}`;
}

/** A time of the server, and how far it is from now: `5 min ago (2026-01-05T09:00:00.000Z)`. */
export function when(at: string, now: number): string {
  const difference = Date.parse(at) - now;
  if (Number.isNaN(difference)) return at;
  return difference > 0 ? `in ${span(difference)} (${at})` : `${span(-difference)} ago (${at})`;
}
