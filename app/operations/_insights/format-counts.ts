import type { Counts } from './insights-api.ts';

const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1_000, name: 's' },
] as const;

/** A waiting time with two digits at most, in the largest unit of which it has more than one and a half. */
export function waitText(ms: number | undefined): string {
  if (ms === undefined) return '–';
  const unit = units.find((one) => ms >= one.ms * 1.5) ?? units[3];
  const value = ms / unit.ms;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit.name}`;
}

/** A part of a whole in percent; a dash if there is no whole. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;
}

/** How many of them people answered. */
export function answeredOf({ approved, denied }: Counts): number {
  return approved + denied;
}
