// depends on: app lib/react lib/client lib/plugins/responses
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';
import { otto } from './support/people.ts';
import { viewsOfThisRun } from './support/views.ts';

describe('an address without a page', () => {
  it.for(viewsOfThisRun)('has the status 404 and leads on: $name', async (view, { open }) => {
    const { page } = await open({
      ...view,
      url: new URL('/nowhere', appUrlOfWorker()).href,
      expected: /404 \(Not Found\)/,
    });
    const answered = await page.request.get(page.url());
    expect(answered.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await page.title()).toMatch(/^(\(\d+\)\u00a0)?Page not found · Countersign$/);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the inbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    const inbox = page.locator('#rail a[href="/inbox"]');
    expect(await inbox.getAttribute('aria-current')).toBe('page');
  });
});

describe('a path of the API without an endpoint', () => {
  it.each(['/v1', '/v1/nothing', '/v1/responses/one/two'])(
    'gets an error in JSON: %s [C16]',
    async (path) => {
      const response = await fetch(new URL(path, appUrlOfWorker()));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not-found', param: null } });
    },
  );
});

describe('a printed chat', () => {
  it('has the whole conversation, dark on white, and nothing to click', async ({ open }) => {
    const person = await open({ colorScheme: 'dark', viewport: { width: 700, height: 300 } });
    const { page } = person;
    await person.say('Pay Ida 30');
    await person.isAsked('Pay Ida 30 USD.');
    await person.approve();
    await person.regenerate.waitFor();
    await page.emulateMedia({ media: 'print' });

    await person.message.waitFor({ state: 'hidden' });
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter(({ scrollHeight, clientHeight }) => clientHeight > 0 && scrollHeight > clientHeight + 1)
        .filter((element) => getComputedStyle(element).overflowY !== 'visible')
        // Invisible, and for screen readers only.
        .filter((element) => !element.matches('[data-countersign="announcer"]'))
        .map(({ className }) => String(className)),
    );
    expect(cut).toEqual([]);
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(scheme).toBe('light');
  });
});

describe('the operations page', () => {
  it.for(viewsOfThisRun)(
    'shows a manager what needs an operator, and nobody else: $name',
    async (view, { open }) => {
      const url = new URL('/operations', appUrlOfWorker()).href;
      const other = (await open(view)).page;
      expect((await other.request.get(url)).status()).toBe(404);
      expect((await other.request.get(new URL('/api/operations', url).href)).status()).toBe(404);
      expect(await other.getByRole('link', { name: 'Operations' }).count()).toBe(0);

      const { page } = await open({ ...view, as: otto, url });
      for (const name of ['Runs without progress', 'Unknown outcomes', 'Paused tools']) {
        await page.getByRole('region', { name }).waitFor();
      }
      await page.getByText('Tools appear here while they are paused.').waitFor();
      await page.locator('a[href="/operations"][aria-current="page"]').waitFor({ state: 'attached' });
      expect(await violationsOf(page)).toEqual([]);
      const rehearsal = page.getByRole('region', { name: 'Rehearse a policy' });
      await rehearsal.getByLabel('Policy').selectOption('Small payments run without a question');
      await rehearsal.getByRole('button', { name: 'Rehearse' }).click();
      await rehearsal.getByRole('table').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(isWider).toBe(false);
      await page.getByText('Events appear here when a subscriber did not get them within a day.').waitFor();
      await page.route('**/api/operations/deliveries', (route) => route.fulfill({ json: withDeadDelivery }));
      await page.route('**/api/operations', (route) => route.fulfill({ json: withUnknownOutcome }));
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.reload();
      const events = page.getByRole('region', { name: 'Undelivered events' });
      await page.route('**/api/operations/deliveries/webhook/evt_1', (route) =>
        route.fulfill({ status: 204 }),
      );
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await events.getByRole('button', { name: 'Send again: Question opened, for webhook' }).click();
      expect(new URL((await sent).url()).pathname).toBe('/api/operations/deliveries/webhook/evt_1');
      const unknown = page.getByRole('region', { name: 'Unknown outcomes' });
      await unknown.getByRole('group', { name: 'What happened?' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    },
  );
});

/** What the demo never has: its own tools either work or fail for a known reason. */
const withUnknownOutcome = {
  runs: [],
  outcomes: [
    {
      ...{ chatId: 'chat_1', toolCallId: 'call_1', approvalId: 'apr_1', toolName: 'process_payment' },
      ...{ title: 'Process payment', since: '2026-01-02T03:04:05Z', maySeeChat: false, mayRecord: true },
    },
  ],
  chatsSearched: 1,
  pauses: [],
};

/** What the demo has only when a webhook did not answer for a day. */
const withDeadDelivery = {
  deliveries: [
    {
      ...{ subscriber: 'webhook', eventId: 'evt_1', type: 'question.opened', chatId: 'chat_1', attempts: 40 },
      ...{
        failedAt: '2026-01-01T03:04:05Z',
        deadAt: '2026-01-02T03:04:05Z',
        error: 'The receiver answered 500.',
      },
    },
  ],
};

describe('a page with an open question', () => {
  it('has it in the HTML of the server, and shows no outdated copy of it later', async ({ open }) => {
    const person = await open();
    const { page } = person;
    await person.say('Pay Ida 30');
    await person.isAsked('Pay Ida 30 USD.');
    const chat = page.url();
    const htmlOf = async (url: string) => (await page.request.get(url)).text();
    expect(await htmlOf(chat)).toContain('data-countersign="card-approve"');
    expect(await htmlOf(new URL('/inbox', chat).href)).toContain('data-countersign="inbox-row"');

    await page.reload();
    await person.approve();
    await person.regenerate.waitFor();
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.goBack();
    await person.regenerate.waitFor();
    expect(await page.locator('[data-countersign="card-approve"]').count()).toBe(0);
  });
});
