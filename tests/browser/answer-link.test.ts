// depends on: app/api lib/plugins/links
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { answerLinksFixture } from '../support/answer-links-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { askedFor } from '../support/value-link-fixture.ts';
import { type View, viewports } from './launch.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { isFocused, tabTo } from './support/keyboard.ts';

/** A phone whose browser runs no scripts. */
const plainPhone = { javaScriptEnabled: false, viewport: viewports.narrow };

/** The link to the question that a page of the app shows. */
function linkFrom(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const approvalId = document.querySelector<HTMLElement>('[data-question]')?.dataset.question;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ approvalId });
    const response = await fetch('/api/demo/answer-links', { method: 'POST', headers, body });
    return (await response.json()).url as string;
  });
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('a link to a question of the app', () => {
  it('answers it on a phone without JavaScript, in two steps, and the chat continues [0045.3, 0045.9]', async ({
    open,
    user,
  }) => {
    const ada = await open();
    await ada.say('Pay Alice 30');
    await ada.isAsked('Pay Alice 30 USD.');
    const url = await linkFrom(ada.page);
    const { page: phone } = await open({ ...plainPhone, url });
    await phone.getByRole('heading', { level: 1, name: 'Pay Alice 30 USD.' }).waitFor();
    await phone.getByRole('textbox', { name: 'Reason' }).fill('From the train');
    await button(phone, /^Approve/).click();
    await phone.getByRole('heading', { level: 1, name: 'You approve: Pay Alice 30 USD.' }).waitFor();
    expect(await ada.approveButton.count()).toBe(1);
    await button(phone, /^Confirm/).click();
    await phone.getByText(`Approved by ${user.name}`).waitFor();
    expect(phone.url()).toBe(url);
    await ada.isTold('Alice was paid 30 USD.');
    expect(await ada.approveButton.count()).toBe(0);
    await phone.reload();
    await phone.getByText('by link').waitFor();
  });

  it('fills in its form on a phone without JavaScript, by keyboard alone, and the model gets the value [0053.1]', async ({
    open,
    user,
  }) => {
    const ada = await open();
    await ada.say('Plan my trip');
    await ada.isAsked('When does your trip begin');
    const person = await open({ ...plainPhone, url: await linkFrom(ada.page) });
    const phone = person.page;
    await tabTo(person, button(phone, 'Fill in an answer'));
    await phone.keyboard.press('Enter');
    await phone.getByRole('heading', { level: 1, name: 'You answer:' }).waitFor();
    const from = phone.getByLabel('From');
    expect(await from.getAttribute('type')).toBe('date');
    await tabTo(person, from);
    await phone.keyboard.type('12012026');
    const nights = phone.getByRole('spinbutton', { name: 'Nights' });
    await tabTo(person, nights);
    // More nights than the schema allows are not even sent.
    await phone.keyboard.type('31');
    await phone.keyboard.press('Enter');
    expect(await nights.evaluate((it: HTMLInputElement) => it.validity.rangeOverflow)).toBe(true);
    await phone.keyboard.press('Backspace');
    for (const name of ['Send answer', 'Decline', 'Back']) {
      await phone.keyboard.press('Tab');
      expect(await phone.evaluate(() => document.activeElement?.textContent)).toBe(name);
    }
    await tabTo(person, button(phone, 'Send answer'), 'Shift+Tab');
    await phone.keyboard.press('Enter');
    await phone.getByText(`Answered by ${user.name}`).waitFor();
    await ada.isTold('Your trip begins on 2026-12-01 and lasts 3 nights.');
  });
});

it('the page of a question copies its link until it is answered [0045.8]', async ({ open, user }) => {
  const ada = await open();
  await ada.say('Pay Bert 30');
  await ada.isAsked('Pay Bert 30 USD.');
  const id = await ada.page.locator('[data-question]').first().getAttribute('data-question');
  const reader = await open({
    url: new URL(`/inbox/${id}`, ada.page.url()).href,
    viewport: viewports.narrow,
  });
  await reader.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(reader.page, 'Copy link').click();
  await reader.page.getByText('Link copied.').waitFor();
  await isSound(reader, 'a copied link');
  const url = await reader.page.evaluate(() => navigator.clipboard.readText());
  const { page: phone } = await open({ ...plainPhone, url });
  await button(phone, 'Deny').click();
  await button(phone, 'Confirm denial').click();
  await phone.getByText(`Denied by ${user.name}`).waitFor();
  await reader.page.getByRole('cell', { name: 'Answered' }).waitFor();
  expect(await button(reader.page, 'Copy link').count()).toBe(0);
});

it('a value that the server rejects is shown again on a page without JavaScript that begins at its problems [0053.4]', async ({
  open,
}) => {
  const schema = z
    .object({
      from: z.iso.date().describe('The first day.'),
      until: z.iso.date().describe('The last day.'),
      room: z.enum(['single', 'double']),
      arrival: z.iso.datetime().optional(),
      floor: z.enum(['1', '2', '3', '4', '5', '6']).optional(),
      note: z.string().max(500).optional(),
    })
    .refine(({ from, until }) => from < until, { path: ['until'], error: 'Choose a later day.' });
  const { url, state } = await askedFor(schema);
  const expected = /status of 400/;
  const { page: phone } = await open({ ...plainPhone, as: null, url, expected });
  await button(phone, 'Fill in an answer').click();
  await phone.getByLabel('From').fill('2026-12-04');
  await phone.getByLabel('Until').fill('2026-12-01');
  await phone.getByRole('radio', { name: 'double' }).check();
  await phone.getByLabel('Note').fill('By train');
  await button(phone, 'Send answer').click();
  const problems = phone.getByRole('alert');
  await problems.getByText('There is a problem').waitFor();
  expect(await isFocused(problems)).toBe(true);
  await phone.keyboard.press('Tab');
  await phone.keyboard.press('Enter');
  const until = phone.getByLabel('Until');
  expect(await until.getAttribute('aria-invalid')).toBe('true');
  expect(await isFocused(until)).toBe(true);
  expect([await until.inputValue(), await phone.getByLabel('Note').inputValue()]).toEqual([
    '2026-12-01',
    'By train',
  ]);
  expect(await phone.getByRole('radio', { name: 'double' }).isChecked()).toBe(true);

  const ada = await open({ viewport: viewports.narrow, as: null, url, expected });
  const { page } = ada;
  await button(page, 'Fill in an answer').click();
  await page.getByLabel('From').fill('2026-12-04');
  await isSound(ada, 'form');
  await page.getByLabel('Until').fill('2026-12-04');
  await page.getByRole('radio', { name: 'single' }).check();
  await button(page, 'Send answer').click();
  await page.getByRole('alert').waitFor();
  await isSound(ada, 'problems');
  await button(page, 'Decline').click();
  await page.getByRole('heading', { name: 'You decline:' }).waitFor();
  await isSound(ada, 'denial');

  await until.fill('2026-12-07');
  await button(phone, 'Send answer').click();
  await phone.getByText('Answered by Ada').waitFor();
  expect(await state()).toBe('approved');
});

describe('every page of a link', () => {
  const preview = () => ({
    summary: 'The balance falls below its limit, and an overdraft begins.',
    parts: [
      {
        type: 'table',
        title: 'Bookings',
        rows: [{ account: '12', change: '-1250', text: 'x'.repeat(60) }],
        rowCount: 5,
      },
      { type: 'diff', title: 'Ledger', before: 'a\nbalance 2000', after: 'a\nbalance 750' },
    ],
  });
  const details = { title: 'Pay invoice', risk: { level: 'high', reason: 'new payee' }, preview };

  const views: readonly (View & { name: string })[] = [
    { name: 'light', colorScheme: 'light' },
    { name: 'dark', colorScheme: 'dark' },
    { name: 'forced colours', forcedColors: 'active' },
  ];
  it.for(rowsOfThisRun(views, ({ name }) => name === 'dark'))(
    'has no violation that axe finds and does not scroll sideways at 320 px: $name',
    async (view, { open }) => {
      const { linkFor } = await answerLinksFixture({
        toolDetails: { pay: details } as never,
        mayAnswer: () => true,
      });
      const url = await linkFor({ id: 'bob' });
      const expected = /status of (401|403|404)/;
      const bob = await open({ ...view, viewport: viewports.narrow, as: null, url, expected });
      const { page } = bob;
      await isSound(bob, 'question');
      await button(page, 'Approve high-risk request').click();
      await button(page, 'Confirm high-risk approval').waitFor();
      await isSound(bob, 'confirmation');
      await page.getByRole('link', { name: 'Back' }).click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('x'.repeat(400));
      await button(page, 'Deny').click();
      await button(page, 'Confirm denial').click();
      await page.getByText('Denied by Bob').waitFor();
      await isSound(bob, 'outcome');
      await page.goto(await linkFor({ role: 'manager' }));
      await isSound(bob, 'sign-in');
      await page.goto(`${url}x`);
      await isSound(bob, 'unknown');
    },
  );
});
