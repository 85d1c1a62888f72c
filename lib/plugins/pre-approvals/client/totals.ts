import { currencyOf, inCurrency, isAmount } from '../../../client/text/value-meaning.ts';

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
