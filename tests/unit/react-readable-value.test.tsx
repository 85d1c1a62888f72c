// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { ReadableValue, WordsProvider } from 'countersign/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { meaningOf } from '../../lib/client/text/value-meaning.ts';
import { totalsOf } from '../../lib/plugins/pre-approvals/client/totals.ts';

configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);

const more = () => screen.queryByRole('button');
const press = () => fireEvent.click(screen.getByRole('button'));
const all = (selector: string) => document.querySelectorAll(selector);
const order = (index: number) => ({ sku: `A-${index}`, quantity: index });

/** Spaces of all kinds are one: engines differ. */
const plain = (text: string | undefined) => text?.replaceAll(/\s/g, ' ');

describe('what a value means', () => {
  it.each<[string, unknown, Record<string, unknown>, string | undefined]>([
    ['amount', 30, { currency: 'USD' }, 'USD 30.00'],
    ['totalAmount', 1234.5, { currency: 'EUR' }, 'EUR 1,234.50'],
    ['unit_price', '12.345', { currency_code: 'USD' }, 'USD 12.345'],
    ['amount', 30, { currency: 'JPY' }, 'JPY 30'],
    ['amount', -0.5, { currency: 'USD' }, '-USD 0.50'],
    // No meaning is better than a wrong one.
    ['amountCents', 3000, { currency: 'USD' }, undefined],
    ['minor_amount', 3000, { currency: 'USD' }, undefined],
    ['amount', 3000, { currency: 'usd' }, undefined],
    ['amount', 30, {}, undefined],
    ['amount', 30, { currency: 'USD', currencyCode: 'EUR' }, undefined],
    ['amount', '1e3', { currency: 'USD' }, undefined],
    ['amount', 2 ** 80, { currency: 'USD' }, undefined],
    ['orderId', 30, { currency: 'USD' }, undefined],
  ])('of %s %j beside %j is %s', (name, value, among, meaning) => {
    expect(plain(meaningOf(value, { name, among: { [name]: value, ...among }, locale: 'en-US' }))).toBe(
      meaning,
    );
  });

  it.each<[string, string | undefined]>([
    ['2026-03-01', 'Sun, Mar 1, 2026'],
    ['2026-03-01T23:30:00Z', 'Mon, Mar 2, 2026, 08:30 AM GMT+9'],
    ['2026-03-01T09:00:07+01:00', 'Sun, Mar 1, 2026, 05:00:07 PM GMT+9'],
    // Its zone is not known.
    ['2026-03-01T09:00:00', undefined],
    ['2026-02-30', undefined],
    ['2026-03-01 and more', undefined],
    ['2026', undefined],
  ])('of %s in Tokyo is %s', (text, meaning) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(plain(meaningOf(text, { locale: 'en-US' }))).toBe(meaning);
    vi.unstubAllEnvs();
  });

  it.each<[readonly unknown[], readonly string[] | undefined]>([
    [
      [
        { amount: 0.1, currency: 'USD' },
        { amount: 0.2, currency: 'USD' },
      ],
      ['USD 0.30'],
    ],
    [
      [
        { amount: '12.345', currency: 'EUR' },
        { amount: -0.5, currency: 'USD' },
      ],
      ['EUR 12.345', '-USD 0.50'],
    ],
    [[{ amount: 40, currency: 'USD' }, { amount: 1 }], undefined],
    [[{ amount: 40, fee: 1, currency: 'USD' }], undefined],
    [[{ amountCents: 4000, currency: 'USD' }], undefined],
    [['40'], undefined],
  ])('of the amounts of calls, in all, is exact: %j is %j', (inputs, totals) => {
    expect(totalsOf(inputs, 'en-US')?.map(plain)).toEqual(totals);
  });

  it('is absent in an invalid locale', () => {
    expect(totalsOf([{ amount: 40, currency: 'USD' }], 'not a locale')).toBeUndefined();
    expect(meaningOf('2026-03-01', { locale: 'not a locale' })).toBeUndefined();
  });

  it('is shown beside the value as it is, in the language of the words', async () => {
    render(
      <WordsProvider words={{ card: { locale: 'de-DE' } }}>
        <ReadableValue value={{ amount: 1234.5, currency: 'EUR', payments: [{ due: '2026-03-01' }] }} />
      </WordsProvider>,
    );
    const meaning = await screen.findByText(/1\.234,50\sEUR/);
    expect(meaning.parentElement?.textContent).toMatch(/^1234\.5 /);
    const due = await screen.findByText(/So\., 1\. März 2026/);
    expect(due.closest('td')?.textContent).toMatch(/^2026-03-01 /);
  });
});

describe('a long text', () => {
  const text = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the contract.`).join('\n');

  it('shows its beginning and says how much is hidden, until all is asked for', () => {
    render(<ReadableValue value={text} />);
    const shown = document.querySelector('pre')?.textContent ?? '';
    expect(text.startsWith(shown)).toBe(true);
    expect(shown.split('\n')).toHaveLength(15);
    expect(more()?.textContent).toBe(`Show all (${text.length - shown.length} more characters)`);
    press();
    expect(document.querySelector('pre')?.textContent).toBe(text);
    expect(more()?.textContent).toBe('Show less');
    press();
    expect(document.querySelector('pre')?.textContent).toBe(shown);
  });

  it('is shown in whole if it is not that long', () => {
    const short = text.split('\n').slice(0, 15).join('\n');
    const { rerender } = render(<ReadableValue value={short} />);
    expect(document.querySelector('pre')?.textContent).toBe(short);
    expect(more()).toBeNull();
    const other = 'word '.repeat(199);
    rerender(<ReadableValue value={other} />);
    expect(document.querySelector('pre')?.textContent).toBe(other);
    expect(more()).toBeNull();
  });

  it('of one word is cut within it, and what looks alike stays marked', () => {
    render(<ReadableValue value={`p\u0430ypal ${'x'.repeat(3_000)}`} />);
    const shown = document.querySelector('pre')?.textContent ?? '';
    expect(shown).toContain('⟨mixed scripts: Latin, Cyrillic⟩');
    expect(more()?.textContent).toBe('Show all (3000 more characters)');
  });
});

describe('a long list', () => {
  it('of equal rows is a table with their number, shown in steps', () => {
    render(<ReadableValue value={Array.from({ length: 900 }, (_, index) => order(index))} />);
    expect(document.querySelector('caption')?.textContent).toBe('900 rows');
    const steps = [];
    for (let rows = 0; rows < 900; press()) {
      rows = all('tbody tr').length;
      steps.push([rows, more()?.textContent]);
    }
    expect(steps).toEqual([
      [50, 'Show more (850 not shown)'],
      [100, 'Show more (800 not shown)'],
      [200, 'Show more (700 not shown)'],
      [400, 'Show more (500 not shown)'],
      [800, 'Show more (100 not shown)'],
      [900, 'Show less'],
    ]);
    expect(all('tbody tr')).toHaveLength(50);
  });

  it.each<[string, unknown, string]>([
    ['texts', Array.from({ length: 900 }, (_, index) => `Item ${index}`), 'li'],
    [
      'records',
      Array.from({ length: 900 }, (_, index) => ({ ...order(index), tags: ['a', 'b'] })),
      'ul > li > dl',
    ],
    ['fields', Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field${index}`, index])), 'dt'],
  ])('of %s begins with 50, and says how many are hidden', (_what, value, selector) => {
    render(<ReadableValue value={value} />);
    expect(all(selector)).toHaveLength(50);
    expect(all('*').length).toBeLessThan(2_000);
    expect(more()?.textContent).toBe('Show more (850 not shown)');
  });

  it('tells an empty cell from one with a value', () => {
    render(
      <ReadableValue
        value={[
          { sku: '', paid: null },
          { sku: 'A', paid: false },
        ]}
      />,
    );
    expect([...all('td')].map(({ textContent }) => textContent)).toEqual(['none', 'none', 'A', 'No']);
    expect(all('td bdi')).toHaveLength(1);
  });
});
