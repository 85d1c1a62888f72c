import { describe, expect, it } from 'vitest';
import { dayOf } from '../../lib/plugins/insights/day-counts.ts';
import { createLocalHours } from '../../lib/plugins/insights/local-hours.ts';

const slotOf = (iso: string) => Math.floor((Date.parse(iso) % 86_400_000) / 900_000);
const hourIn = (timeZone: string, iso: string) =>
  createLocalHours(timeZone)(dayOf(Date.parse(iso)), slotOf(iso));

describe('the hour of the day in a time zone [0052.7]', () => {
  it.each([
    ['UTC', '2026-06-01T00:00Z', 0],
    ['UTC', '2026-06-01T23:45Z', 23],
    ['Europe/Berlin', '2026-06-01T22:00Z', 0],
    ['Europe/Berlin', '2026-01-01T22:45Z', 23],
    ['America/New_York', '2026-06-01T03:45Z', 23],
    ['Asia/Kolkata', '2026-06-01T18:15Z', 23],
    ['Asia/Kolkata', '2026-06-01T18:30Z', 0],
    ['Asia/Kathmandu', '2026-06-01T18:00Z', 23],
    ['Asia/Kathmandu', '2026-06-01T18:15Z', 0],
    ['Pacific/Kiritimati', '2026-06-01T10:00Z', 0],
    ['Pacific/Niue', '2026-06-01T10:45Z', 23],
    // The clocks change at 01:00 UTC.
    ['Europe/Berlin', '2026-03-29T00:45Z', 1],
    ['Europe/Berlin', '2026-03-29T01:00Z', 3],
    ['Europe/Berlin', '2026-10-25T00:45Z', 2],
    ['Europe/Berlin', '2026-10-25T01:00Z', 2],
    ['Europe/Berlin', '2026-10-25T02:00Z', 3],
    // By half an hour, at 15:30 UTC of the day before.
    ['Australia/Lord_Howe', '2026-10-03T15:15Z', 1],
    ['Australia/Lord_Howe', '2026-10-03T15:30Z', 2],
    ['UTC', '1969-12-31T23:00Z', 23],
  ])('in %s, %s is in hour %d', (timeZone, iso, hour) => {
    const at = Date.parse(iso);
    const slot = Math.floor((at - dayOf(at) * 86_400_000) / 900_000);
    expect(createLocalHours(timeZone)(dayOf(at), slot)).toBe(hour);
  });

  it('agrees with the clock of the zone for every slot of a year', () => {
    for (const timeZone of ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns']) {
      const clock = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
      const hourOf = createLocalHours(timeZone);
      const first = dayOf(Date.UTC(2026, 0, 1));
      for (let day = first; day < first + 365; day += 1) {
        for (const slot of [0, 3, 6, 41, 62, 95]) {
          expect(hourOf(day, slot)).toBe(Number(clock.format(day * 86_400_000 + slot * 900_000)));
        }
      }
    }
  });

  it.each(['', 'Mars/Olympus', 'Europe/Berlin; drop table', '\0', '+99:99'])(
    'refuses the zone %j',
    (name) => {
      expect(() => hourIn(name, '2026-06-01T00:00Z')).toThrow(
        expect.objectContaining({ code: 'invalid-request' }),
      );
    },
  );
});
