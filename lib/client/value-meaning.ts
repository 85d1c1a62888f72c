import { isMoment } from './form/moment.ts';
import { readableName } from './readable-name.ts';

/** The context of a value: its name, and the fields beside it. */
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
 * What a value means, to be shown beside it: a date or a moment on this person's clock, with its zone; an amount with the
 * currency beside it, never rounded. `undefined` for other values, and for moments without a zone.
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

/**
 * The sum of the amounts of several calls, in words, one for each currency: exact, never rounded. `undefined` unless each call
 * has exactly one amount, with a currency beside it.
 *
 * @param inputs the arguments of the calls
 * @param locale BCP 47. Default: that of the browser
 */
export function totalsOf(inputs: readonly unknown[], locale?: string): readonly string[] | undefined {
  const sums = new Map<string, bigint>();
  for (const input of inputs) {
    const fields: Readonly<Record<string, unknown>> = { ...Object(input) };
    const currency = currencyOf(fields);
    const [amount, ...others] = Object.entries(fields).filter(([name, value]) =>
      isAmount(name, String(value)),
    );
    if (!currency || !amount || others.length > 0) return undefined;
    sums.set(currency, (sums.get(currency) ?? 0n) + unitsOf(String(amount[1])));
  }
  try {
    return [...sums].map(([currency, units]) => inCurrency(textOf(units), currency, locale));
  } catch {
    return undefined;
  }
}

/** No amount has more digits after the decimal point. @see decimal */
const places = 16;

function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

function textOf(units: bigint): `${number}` {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}` as `${number}`;
}

function isAmount(name: string, text: string): boolean {
  const words = readableName(name).toLowerCase();
  return decimal.test(text) && amountName.test(words) && !smallUnit.test(words);
}

function inCurrency(text: string, currency: string, locale: string | undefined): string {
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

/** A lower-case currency often accompanies an amount in its smallest unit. */
function currencyOf(among: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(among).filter(([name]) => /^currency( code)?$/i.test(readableName(name)));
  const [, code] = found.length === 1 && found[0] ? found[0] : [];
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : undefined;
}
