import { isMoment } from './is-moment.ts';
import { readableName } from './readable-name.ts';

/** The context of a value: its name, and the other fields. */
export type ValuePlace = {
  readonly name?: string | undefined;
  readonly among?: Readonly<Record<string, unknown>> | undefined;
  /** BCP 47. Default: that of the browser. */
  readonly locale?: string | undefined;
};

const amountName = /\b(amount|balance|cost|fee|price|sum|total)$/;
/** An amount in such a unit would appear a hundred times too high. */
const smallUnit = /\b(cents?|micros?|minor|pence|pennies)\b/;
/** Longer numbers lose precision. */
const decimal = /^-?(?=[\d.]{1,16}$)\d+(\.\d+)?$/;

/**
 * What a value means, to be shown next to it: a date or a moment on this person's clock, with its zone; an amount with the
 * currency next to it, never rounded. `undefined` for other values, and for moments without a zone.
 */
export function meaningOf(value: unknown, { name = '', among = {}, locale }: ValuePlace): string | undefined {
  try {
    const text = String(value);
    if (typeof value === 'string' && isMoment('date', text)) {
      return new Date(text).toLocaleDateString(locale, { ...day, timeZone: 'UTC' });
    }
    if (typeof value === 'string' && isMoment('date-time', text)) return momentIn(new Date(text), locale);
    const currency = currencyOf(among);
    return currency && isAmount(name, text) ? inCurrency(text, currency, locale) : undefined;
  } catch {
    // An invalid locale.
    return undefined;
  }
}

/** Whether a value with this name is an amount in whole units of a currency, as text of digits. */
export function isAmount(name: string, text: string): boolean {
  const words = readableName(name).toLowerCase();
  return decimal.test(text) && amountName.test(words) && !smallUnit.test(words);
}

/** An amount with its currency, never rounded. @param locale BCP 47. Default: that of the browser */
export function inCurrency(text: string, currency: string, locale: string | undefined): string {
  const format = {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: 20,
  } as const;
  return new Intl.NumberFormat(locale, format).format(text as `${number}`);
}

const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const;

function momentIn(at: Date, locale: string | undefined): string {
  const seconds = at.getSeconds() === 0 ? {} : ({ second: '2-digit' } as const);
  const time = { hour: '2-digit', minute: '2-digit', ...seconds, timeZoneName: 'short' } as const;
  return at.toLocaleString(locale, { ...day, ...time });
}

/** The currency of an amount. A lower-case one often accompanies an amount in its smallest unit. */
export function currencyOf(among: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(among).filter(([name]) => /^currency( code)?$/i.test(readableName(name)));
  const [, code] = found.length === 1 && found[0] ? found[0] : [];
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : undefined;
}
