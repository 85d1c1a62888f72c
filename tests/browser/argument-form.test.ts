// depends on: app/chats lib/react/card lib/react/styles lib/client/calls lib/client/sheet lib/plugins/forms
import { beforeAll, describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { type View, viewports } from './launch.ts';
import { it, type Open } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { hasFocus, isFocused } from './support/keyboard.ts';
import { eventually, type Person } from './support/person.ts';
import { bundlePage } from './support/serve-page.ts';

let serve: Awaited<ReturnType<typeof bundlePage>>;
beforeAll(async () => {
  serve = await bundlePage('form-page.tsx');
});

/** The page of the form, which needs no server, with the form open. */
async function opened(open: Open, view: View, query = ''): Promise<Person> {
  // Nothing answers its requests for the effect of edited arguments.
  const expected = /404 .*\/preview/;
  const person = await open({ ...view, as: null, url: 'about:blank', expected });
  const { page } = person;
  await page.goto((await serve(page.context())) + query);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('group', { name: 'Edit arguments' }).waitFor();
  return person;
}

async function expectSound(person: Person, state: string): Promise<void> {
  await isSound(person, state);
  const small = await person.page
    .locator('main')
    .locator('button, input:not([type="radio"], [type="checkbox"]), select, textarea, label:has(input), a')
    .evaluateAll((elements) => {
      const visible = elements.filter((element) => element.checkVisibility());
      return visible
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map(({ outerHTML }) => outerHTML);
    });
  expect(small, `${state}: too small for a finger`).toEqual([]);
}

describe('a form with a field of every kind', () => {
  const views: readonly { name: string; view: View; query: string }[] = [
    { name: 'narrow, light', view: { viewport: viewports.narrow, colorScheme: 'light' }, query: '' },
    { name: 'in forced colours', view: { forcedColors: 'active' }, query: '' },
    {
      ...{ name: 'dark, from right to left', query: '?dir=rtl' },
      view: { viewport: viewports.narrow, colorScheme: 'dark' },
    },
  ];
  const viewsOfThisRun = rowsOfThisRun(views, ({ query }) => query !== '');
  it.for(viewsOfThisRun)('can be used $name, even with problems', async ({ view, query }, { open }) => {
    const person = await opened(open, view, query);
    const { page } = person;
    await expectSound(person, 'open');
    await page.getByLabel('Guest', { exact: true }).fill('');
    await page.getByLabel('Deposit', { exact: true }).fill('0.3');
    await page.getByRole('button', { name: 'Add: Address' }).click();
    await page.getByRole('button', { name: /^Approve/ }).click();
    const summary = page.getByRole('group', { name: 'There is a problem' });
    expect(await isFocused(summary)).toBe(true);
    expect(await summary.getByRole('link').allInnerTexts()).toEqual([
      'Guest: Required.',
      'Deposit: Use a multiple of 0.5.',
    ]);
    await expectSound(person, 'with problems');
  });

  const narrowOfThisRun = rowsOfThisRun(
    [
      { name: 'light', colorScheme: 'light', query: '' },
      { name: 'dark, from right to left', colorScheme: 'dark', query: '?dir=rtl' },
    ] as const,
    ({ query }) => query !== '',
  );
  it.for(narrowOfThisRun)(
    'can be used at 320 pixels with every part in use: $name',
    async (view, { open }) => {
      const { colorScheme, query } = view;
      const person = await opened(open, { viewport: viewports.narrow, colorScheme }, query);
      const { page } = person;
      await page.getByRole('radiogroup', { name: 'Pay with' }).getByLabel('Account').check();
      await page.getByRole('radiogroup', { name: 'Discount' }).getByLabel('Text').check();
      await page.getByLabel('None: Deposit').check();
      await page.getByLabel('None: Breakfast at').uncheck();
      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByRole('button', { name: 'Move down: Guests, Item 1' }).click();
      const add = page.getByRole('button', { name: 'Add: Tags' });
      for (let count = 0; count < 20; count += 1) await add.click();
      await page.getByText('Items 21 to 22 of 22').waitFor();
      await expectSound(person, 'with a list of two pages');
      await page.getByRole('button', { name: 'Previous items: Tags' }).click();
      await page.getByLabel('Departure (optional)').focus();
      await page.keyboard.type('12');
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.getByRole('link', { name: 'Departure: Enter a full date.' }).waitFor();
      await expectSound(person, 'with half a date');
    },
  );

  it('takes dates by keyboard, refuses half of one, and sends only what was changed', async ({ open }) => {
    const { page } = await opened(open, {});
    const departure = page.getByLabel('Departure (optional)');
    await departure.focus();
    await page.keyboard.type('12');
    await page.getByRole('button', { name: /^Approve/ }).click();
    const problem = page.getByRole('link', { name: 'Departure: Enter a full date.' });
    await problem.press('Enter');
    await page.keyboard.type('12262026');
    expect(await departure.inputValue()).toBe('2026-12-26');

    await page.getByRole('radiogroup', { name: 'Pay with' }).getByLabel('Account').check();
    await page.getByLabel('IBAN').fill('DE00');
    await page.getByRole('button', { name: 'Move down: Guests, Item 1' }).press('Enter');
    const moved = page.getByRole('button', { name: 'Move up: Guests, Item 2' });
    await hasFocus(moved);
    await page.getByRole('button', { name: /^Approve edited/ }).click();
    await eventually(() => page.evaluate(() => globalThis.answers[0]?.input)).toMatchObject({
      arrival: '2026-12-24',
      departure: '2026-12-26',
      checkIn: '2026-12-24T14:30:00Z',
      breakfastAt: null,
      payWith: { kind: 'account', iban: 'DE00' },
      guests: [{ name: 'Charles' }, { name: 'Ada', age: 36 }],
      passport: '[redacted]',
    });
  });
});
