import { isMoment, type Precision } from '../../../client/text/is-moment.ts';
import type { FieldKind } from './field.ts';
import { fits } from './pattern.ts';
import type { Schema } from './schema-reference.ts';

type MomentKind = Extract<FieldKind, { type: 'moment' }>;

/**
 * The kind of a string that is a date or a time. A time without a zone has no `format` of its own: it is
 * recognized by a pattern that accepts only times.
 */
export function parseMoment({ format, pattern }: Schema): MomentKind | undefined {
  const given = typeof pattern === 'string' ? { pattern } : {};
  if (format === 'date' || format === 'date-time') return { type: 'moment', precision: format, ...given };
  const takesTimes =
    typeof pattern === 'string' &&
    (fits('10:30', pattern) || fits('10:30:00', pattern)) &&
    !['', 'x', '10', '10:61', '10:61:00'].some((other) => fits(other, pattern));
  return takesTimes ? { type: 'moment', precision: 'time', pattern } : undefined;
}

/**
 * A moment in the format of a browser control: a `date-time` in this person's time zone, to the millisecond.
 */
export function controlText(precision: Precision, text: string): string {
  if (!isMoment(precision, text)) return '';
  if (precision === 'date') return text;
  if (precision === 'time') return text.replace(/(\.\d{3})\d+$/, '$1');
  const at = new Date(text);
  return controlAt(at, -at.getTimezoneOffset());
}

/**
 * What a person chose, in the format that the schema requires: with the zone and the seconds of the initial
 * value, unless the pattern accepts only another format. Choosing the initial moment returns the initial
 * value unchanged.
 *
 * @param control the value of the browser's control, not empty
 * @param before the value that editing started from; empty if there was none
 */
export function momentText({ precision, pattern }: MomentKind, control: string, before: string): string {
  if (precision === 'date') return control;
  if (control === controlText(precision, before)) return before;
  const candidates =
    precision === 'time' ? timeForms(control, before) : dateTimeForms(new Date(control), before);
  return firstFitting(candidates, pattern);
}

/** A `date-time` in the format of a browser control that is in UTC, for pages that do not know the person's time zone. */
export function utcControlText(text: string): string {
  return isMoment('date-time', text) ? controlAt(new Date(text), 0) : '';
}

/** What a person entered in such a control, as `momentText`. @param control not empty */
export function utcMomentText({ pattern }: MomentKind, control: string, before: string): string {
  if (control === utcControlText(before)) return before;
  return firstFitting(dateTimeForms(new Date(`${control}Z`), before), pattern);
}

function firstFitting(candidates: readonly string[], pattern: string | undefined): string {
  const [first = ''] = candidates;
  return pattern === undefined ? first : (candidates.find((text) => fits(text, pattern)) ?? first);
}

/** @param minutes the offset of the control from UTC */
function controlAt(at: Date, minutes: number): string {
  return isoAt(at, minutes).replace(/(:00)?(\.000)?Z$/, '');
}

/** The time of a clock with this offset from UTC, in minutes, to the millisecond. */
function isoAt(at: Date, minutes: number): string {
  return new Date(at.getTime() + minutes * 60_000).toISOString();
}

function timeForms(control: string, before: string): string[] {
  const isShort = control.length === '10:30'.length;
  const long = isShort ? `${control}:00` : control;
  const short = control.slice(0, '10:30'.length);
  return before.length > short.length || !isShort ? [long, short] : [short, long];
}

function dateTimeForms(at: Date, before: string): string[] {
  const zone = /[+-]\d\d:\d\d$/.exec(before)?.[0] ?? 'Z';
  const local = offsetText(-at.getTimezoneOffset());
  return [zone, 'Z', local].flatMap((offset) => {
    const shifted = isoAt(at, minutesOf(offset));
    const [exact, whole, short] = [shifted.slice(0, -1), shifted.slice(0, -5), shifted.slice(0, -8)];
    const inForm = at.getMilliseconds() === 0 ? [whole, exact, short] : [exact];
    return inForm.map((text) => text + offset);
  });
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${padded(hours)}:${padded(rest)}`;
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

function padded(value: number): string {
  return String(value).padStart(2, '0');
}
