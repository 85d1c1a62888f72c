import { type Html, html } from '../../../channels/html.ts';
import { isMoment } from '../../../client/text/is-moment.ts';
import { isKnownPattern } from '../client/pattern.ts';
import type { PageFormWords } from './page-form-words.ts';
import type { FlatField } from './value-form.ts';

type TypedField = Extract<FlatField, { type: 'text' | 'number' | 'moment' }>;

const momentTypes = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const;

/** The attributes by which a browser chooses the control and the keyboard, and checks what is typed. The server checks all of it again. */
export function controlAttributes(
  field: TypedField,
  typed: string,
  words: PageFormWords,
): { readonly all: Html; readonly lengths: Html } {
  if (field.type === 'number') return { all: numberAttributes(field, typed), lengths: html`` };
  if (field.type === 'moment') return { all: momentAttributes(field, typed), lengths: html`` };
  const { minLength, maxLength, format, pattern } = field;
  const lengths = html`${minLength !== undefined && html` minlength="${minLength}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}`;
  const type = format === 'uri' ? 'url' : (format ?? 'text');
  const direction = type === 'text' && html` dir="auto"`;
  const checked =
    pattern !== undefined &&
    isKnownPattern(pattern) &&
    html` pattern=".*(?:${pattern}).*" title="${words.problem({ code: 'wrong-pattern', pattern })}"`;
  return { all: html` type="${type}"${direction}${lengths}${checked}`, lengths };
}

/** What a number control would drop is shown in a text control instead, so that it can be corrected. */
function numberAttributes(
  { isWhole, minimum, maximum, above, below }: Extract<FlatField, { type: 'number' }>,
  typed: string,
): Html {
  const isShown = typed === '' || (isWhole ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/).test(typed);
  // A browser has no exclusive bounds, and counts steps from `min`.
  const least = isWhole ? [up(minimum), down(above, 1)] : [minimum, above];
  const most = isWhole ? [down(maximum), up(below, -1)] : [maximum, below];
  const min = bound(least, Math.max);
  // Some keyboards for numbers have no minus sign.
  const keyboard = min !== undefined && min >= 0 && (isWhole ? 'numeric' : 'decimal');
  const keys = keyboard && html` inputmode="${keyboard}"`;
  if (!isShown) return html` type="text"${keys}`;
  const max = bound(most, Math.min);
  const limits = html`${min !== undefined && html` min="${min}"`}${max !== undefined && html` max="${max}"`}`;
  return html` type="number" step="${isWhole ? '1' : 'any'}"${keys}${limits}`;
}

function momentAttributes({ precision }: Extract<FlatField, { type: 'moment' }>, typed: string): Html {
  const isShown = typed === '' || isMoment(precision, precision === 'date-time' ? `${typed}Z` : typed);
  if (!isShown) return html` type="text"`;
  // Without seconds, the control counts in minutes.
  const hasSeconds = /\d\d:\d\d:/.test(typed);
  return html` type="${momentTypes[precision]}"${hasSeconds && html` step="any"`}`;
}

function up(value: number | undefined, more = 0): number | undefined {
  return value === undefined ? undefined : Math.ceil(value) + more;
}

function down(value: number | undefined, more = 0): number | undefined {
  return value === undefined ? undefined : Math.floor(value) + more;
}

/** The stricter bound. Bounds that only say that the number is a safe integer are left out. */
function bound(
  given: readonly (number | undefined)[],
  stricter: (...values: number[]) => number,
): number | undefined {
  const values = given.filter((value) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER);
  return values.length === 0 ? undefined : stricter(...(values as number[]));
}
