import type { Browser, Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { answerLinksFixture } from '../support/answer-links-fixture.ts';
import { viewports } from './launch.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { personAt } from './support/person.ts';

/** A phone whose browser runs no scripts. Its errors, such as violations of the page's policy, fail the test. */
async function openWithoutScripts(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: viewports.narrow });
  const errors: string[] = [];
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('a link to a question of the app', () => {
  it('answers it on a phone without JavaScript, in two steps, and the chat continues [0045.3, 0045.9]', async ({
    browser,
    open,
  }) => {
    const ada = await open();
    await ada.say('Pay Alice 30');
    await ada.isAsked('Pay Alice 30 USD.');
    const url = await ada.page.evaluate(async () => {
      const approvalId = document.querySelector<HTMLElement>('[data-question]')?.dataset.question;
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ approvalId });
      const response = await fetch('/api/demo/answer-links', { method: 'POST', headers, body });
      return (await response.json()).url as string;
    });
    const phone = await openWithoutScripts(browser, url);
    await phone.getByRole('heading', { level: 1, name: 'Pay Alice 30 USD.' }).waitFor();
    await phone.getByRole('textbox', { name: 'Reason' }).fill('From the train');
    await button(phone, /^Approve/).click();
    await phone.getByRole('heading', { level: 1, name: 'You approve: Pay Alice 30 USD.' }).waitFor();
    expect(await ada.approveButton.count()).toBe(1);
    await button(phone, /^Confirm/).click();
    await phone.getByText('Approved by Local user').waitFor();
    expect(phone.url()).toBe(url);
    await ada.isTold('Alice was paid 30 USD.');
    expect(await ada.approveButton.count()).toBe(0);
    await phone.reload();
    await phone.getByText('by link').waitFor();
  });
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

  it.for([
    { name: 'light', colorScheme: 'light' },
    { name: 'dark', colorScheme: 'dark' },
    { name: 'forced colours', forcedColors: 'active' },
  ] as const)(
    'has no violation that axe finds and does not scroll sideways at 320 px: $name',
    async (view, { open }) => {
      const { linkFor } = await answerLinksFixture({
        toolDetails: { pay: details } as never,
        mayAnswer: () => true,
      });
      const url = await linkFor({ id: 'bob' });
      const expected = /status of (401|403|404)/;
      const { page } = await open({ ...view, viewport: viewports.narrow, url, expected });
      const bob = personAt(page);
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
