/** One payment in a request. `amount` is in whole units of the currency. */
export type PaymentOrder = {
  readonly recipient: string;
  readonly amount: number;
  readonly currency?: string;
};

const symbols: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };
const names: Readonly<Record<string, string>> = {
  dollar: 'USD',
  dollars: 'USD',
  euro: 'EUR',
  euros: 'EUR',
  pound: 'GBP',
  pounds: 'GBP',
  yen: 'JPY',
};

const verb = /(?<![\p{L}\p{N}])(?:pay|transfer)(?=\s)/iu;
/** Known codes only: in "PAY ALICE 30 FOR LUNCH" the word after the amount is not a currency. */
const currencyWord = String.raw`[$€£¥]|(?:dollars?|euros?|pounds?|yen|USD|EUR|GBP|JPY|CHF|CNY|INR|CAD|AUD|SEK|NOK|DKK)(?![\p{L}\p{N}])`;
const amountWord = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const amountWords = new RegExp(
  String.raw`([$€£¥])?\s*(?<![\p{L}\p{N}.-])(${amountWord})(?:\s*(${currencyWord}))?(?![\p{L}\p{N}])`,
  'iu',
);

function currencyOf(word: string | undefined): string | undefined {
  return word && (symbols[word] ?? names[word.toLowerCase()] ?? word.toUpperCase());
}

/** The recipient: a clause without its amount, verbs, "to", and the purpose of the payment. */
function recipientIn(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:(?:and|then|also|please|pay|transfer|send|give|the amount of|of|to)\s+)+/i, '')
    .replace(/^.*:\s+(?=\S)/, '')
    .replace(/^(?:to|each)$/i, '')
    .replace(/(?:^|\s+)(?:each|for\s.*|please|today|now|the amount of|of|with|to)$/i, '')
    .replace(/^["“'(]+|["”'):.!?]+$/g, '')
    .trim();
}

/**
 * The payments in a request, in order: "Pay Zoë 12.50, Bob 40 and Carol 5", "pay 30 to Alice", "Pay Alice and Bob $30
 * each". Empty if it names no payment.
 */
export function paymentOrdersIn(request: string): PaymentOrder[] {
  const start = verb.exec(request);
  if (!start) return [];
  const rest = request.slice(start.index + start[0].length).replace(/[.!?]+$/, '');
  // A comma between digits is part of an amount: "1,200".
  const clauses = rest.split(/\s*(?:,(?!\d{3}(?!\d))|;|&|\n)\s*|\s+(?:and|plus|then)\s+/i);
  const orders: PaymentOrder[] = [];
  let waiting: string[] = [];
  for (const clause of clauses) {
    const found = amountWords.exec(clause);
    const before = found ? clause.slice(0, found.index) : clause;
    const after = found ? clause.slice(found.index + found[0].length) : '';
    const recipient = recipientIn(before) || recipientIn(after);
    if (!found) {
      if (recipient) waiting.push(recipient);
      continue;
    }
    const amount = Number(found[2]?.replaceAll(',', ''));
    const currency = currencyOf(found[1] ?? found[3]);
    const recipients = /(?:^|\s)each$/i.test(clause.trim()) ? [...waiting, recipient] : [recipient];
    for (const name of recipients) {
      if (name && amount > 0) orders.push({ recipient: name, amount, currency: currency || undefined });
    }
    waiting = [];
  }
  return orders;
}
