import { describe, expect, it } from 'vitest';
import { paymentOrdersIn } from '../../app/_model/payment-orders.ts';

describe('the payments that a request names', () => {
  it.each([
    ['Pay Alice 30', [['Alice', 30]]],
    [
      'pay Alice 30 and Bob 40',
      [
        ['Alice', 30],
        ['Bob', 40],
      ],
    ],
    [
      'Pay Zoë 12.50, Bob 40 and Carol 5',
      [
        ['Zoë', 12.5],
        ['Bob', 40],
        ['Carol', 5],
      ],
    ],
    [
      'Pay Alice 30,Bob 40, and Carol 5!',
      [
        ['Alice', 30],
        ['Bob', 40],
        ['Carol', 5],
      ],
    ],
    [
      'Pay 30 to Alice and 40 to Bob',
      [
        ['Alice', 30],
        ['Bob', 40],
      ],
    ],
    ['Could you please pay Anna-Lena Graf 1,200.50 please?', [['Anna-Lena Graf', 1200.5]]],
    [
      'Pay Alice $30 and Bob 40 EUR and Carol £5',
      [
        ['Alice', 30, 'USD'],
        ['Bob', 40, 'EUR'],
        ['Carol', 5, 'GBP'],
      ],
    ],
    [
      'Pay Alice 30 dollars for lunch and then pay Bob 40 euros',
      [
        ['Alice', 30, 'USD'],
        ['Bob', 40, 'EUR'],
      ],
    ],
    [
      'Pay Alice and Bob $30 each',
      [
        ['Alice', 30, 'USD'],
        ['Bob', 30, 'USD'],
      ],
    ],
    [
      "Pay O'Neil 7 and Andé 8",
      [
        ["O'Neil", 7],
        ['Andé', 8],
      ],
    ],
    ['transfer 100 to Sandy', [['Sandy', 100]]],
    [
      'Pay Alice 30 and Alice 30',
      [
        ['Alice', 30],
        ['Alice', 30],
      ],
    ],
    [
      'Pay Alice 30usd and Bob 40 chf',
      [
        ['Alice', 30, 'USD'],
        ['Bob', 40, 'CHF'],
      ],
    ],
    ['PAY ALICE 30 FOR LUNCH', [['ALICE', 30]]],
    [
      'Pay two people: 李雷 30, Bob: 40',
      [
        ['李雷', 30],
        ['Bob', 40],
      ],
    ],
    ['Pay Alice -5', []],
    ['Pay Alice', []],
    ['Pay 30', []],
    ['Pay Alice 0', []],
    ['My payment of 30 to Alice', []],
    ['Repay Alice 30', []],
  ])('are parsed from %j as %j', (request, expected) => {
    const orders = paymentOrdersIn(request).map(({ recipient, amount, currency }) =>
      currency ? [recipient, amount, currency] : [recipient, amount],
    );
    expect(orders).toEqual(expected);
  });
});
