import { CountersignError } from '../../protocol/index.ts';
import { slotMs, startOfDay } from './day-counts.ts';

const hourMs = 3_600_000;
const hoursOfDay = 24;
const slotsOfDay = (hoursOfDay * hourMs) / slotMs;

/**
 * Converts slots of UTC days to hours of the day in a time zone, also on days on which the clocks change.
 *
 * @param timeZone an IANA name, such as `Europe/Berlin`
 * @returns the hour, 0 to 23, in which a slot of a day begins
 * @throws CountersignError `invalid-request` for an unknown time zone
 */
export function createLocalHours(timeZone: string): (day: number, slot: number) => number {
  const format = formatOf(timeZone);
  const offsets = new Map<number, number | undefined>();

  /** How far the zone is ahead of UTC, modulo a day, in milliseconds. */
  function offsetAt(at: number): number {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const local = (parts.get('hour') ?? 0) * hourMs + (parts.get('minute') ?? 0) * 60_000;
    return local - (((at % (hoursOfDay * hourMs)) + hoursOfDay * hourMs) % (hoursOfDay * hourMs));
  }

  /** The offset of a day; `undefined` if it changes during the day. */
  function offsetOf(day: number): number | undefined {
    if (offsets.has(day)) return offsets.get(day);
    const [first, last] = [startOfDay(day), startOfDay(day + 1)].map((at) => modulo(offsetAt(at)));
    const offset = first === last ? first : undefined;
    offsets.set(day, offset);
    return offset;
  }

  return (day, slot) => {
    const at = startOfDay(day) + slot * slotMs;
    const offset = offsetOf(day) ?? modulo(offsetAt(at));
    return Math.floor((slot * slotMs + offset) / hourMs) % hoursOfDay;
  };
}

function modulo(ms: number): number {
  const dayMs = slotsOfDay * slotMs;
  return ((ms % dayMs) + dayMs) % dayMs;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    throw new CountersignError(
      'invalid-request',
      'Unknown time zone. Use an IANA name, for example Europe/Berlin.',
    );
  }
}
