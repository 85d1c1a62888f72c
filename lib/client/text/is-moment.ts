/** How precise a text for a date or a time is. */
export type Precision = 'date' | 'time' | 'date-time';

const forms: Readonly<Record<Precision, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(:\d\d(\.\d+)?)?$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i,
};

/** Whether a text is a date or a time of this precision. */
export function isMoment(precision: Precision, text: string): boolean {
  if (!forms[precision].test(text)) return false;
  if (precision === 'time') return !Number.isNaN(Date.parse(`2000-01-01T${text}Z`));
  const day = text.slice(0, '2000-01-01'.length);
  // Some engines parse 30 February as 2 March.
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return isDay && !Number.isNaN(Date.parse(text));
}
