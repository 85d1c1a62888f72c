import { printable, UsageError } from '../../cli/command.ts';

const units: ReadonlyMap<string | undefined, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * Parses a time: a duration before now (`90m`, `12h`, `30d`), or ISO 8601. A date is midnight in UTC, and a time without an offset is
 * local time.
 *
 * @param option the option that has this value, for the error
 * @param now epoch milliseconds
 * @returns epoch milliseconds
 * @throws UsageError for any other text
 */
export function parseTime(text: string, option: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = units.get(unit);
  if (amount !== undefined && unitMs !== undefined) return now - Number(amount) * unitMs;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `${option} ${printable(text)} is not a time. Give a duration before now, such as 90m, 12h or 30d, or a time as ISO 8601.`,
  );
}
