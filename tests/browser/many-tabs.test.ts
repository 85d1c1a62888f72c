// depends on: lib/client/inbox lib/react/inbox lib/react/tab lib/server/routes app/_frame app/_identity
import type { BrowserContext, Page, Request } from 'playwright-core';
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { eventually, type Person } from './support/person.ts';
import { ask } from './support/server-view.ts';

const inboxUrl = new URL('/inbox', appUrlOfWorker()).href;
const marked = /^\(1\)/;

/** The connections to the feed that the pages of a context have from now on. */
function feedsOf(context: BrowserContext): ReadonlySet<Request> {
  const feeds = new Set<Request>();
  context.on('request', (request) => request.url().endsWith('/approvals/events') && feeds.add(request));
  context.on('requestfinished', (request) => feeds.delete(request));
  context.on('requestfailed', (request) => feeds.delete(request));
  return feeds;
}

/** Opens the inbox in this many tabs of a person's browser. */
async function openInboxes({ page }: Person, count: number): Promise<Page[]> {
  const inboxes: Page[] = [];
  for (let tab = 0; tab < count; tab += 1) {
    const inbox = await page.context().newPage();
    await inbox.goto(inboxUrl);
    inboxes.push(inbox);
  }
  return inboxes;
}

describe('seven tabs of one person over HTTP/1.1', () => {
  it('load, share one feed, and are all marked; an answer in the first arrives', async ({ open }) => {
    const first = await open();
    const feeds = feedsOf(first.page.context());
    await first.page.reload();
    const inboxes = await openInboxes(first, 6);
    await eventually(() => feeds.size).toBe(1);
    await first.say('Pay Alice 30');
    await first.isAsked('Pay Alice 30 USD.');
    for (const page of inboxes) await eventually(() => page.title()).toMatch(marked);
    await first.approve();
    await first.isTold('Alice was paid 30 USD.');
    for (const page of inboxes) await eventually(() => page.title()).not.toMatch(marked);
    expect(feeds.size).toBe(1);
  });

  it('load in a browser without locks, where hidden tabs have no feed, and are current when they are seen', async ({
    open,
  }) => {
    const first = await open();
    const context = first.page.context();
    const feeds = feedsOf(context);
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'locks', { value: undefined });
    });
    await first.page.reload();
    await context.addInitScript(() => {
      const tab = document as Document & { seen?: boolean };
      Object.defineProperty(tab, 'visibilityState', { get: () => (tab.seen ? 'visible' : 'hidden') });
    });
    const inboxes = await openInboxes(first, 6);
    expect(feeds.size).toBe(1);
    await first.say('Pay Alice 30');
    await first.isAsked('Pay Alice 30 USD.');
    const [last] = inboxes.slice(-1);
    await last?.evaluate(() => {
      Object.assign(document, { seen: true }).dispatchEvent(new Event('visibilitychange'));
    });
    await eventually(() => last?.title()).toMatch(marked);
    expect(feeds.size).toBe(2);
    await first.approve();
    await first.isTold('Alice was paid 30 USD.');
  });
});

describe('a sign-in as another person in one tab', () => {
  it('ends the feed of the first person, and the tabs of the second share one', async ({
    open,
    ask: askAsKim,
  }) => {
    // What the first person had is not there for the second, and a request of the first that is under way may be refused.
    const kim = await open({ url: inboxUrl, expected: /40[014]/ });
    const feeds = feedsOf(kim.page.context());
    await kim.page.reload();
    const [other] = await openInboxes(kim, 1);
    const pages = other ? [kim.page, other] : [];
    for (const page of pages) await page.getByText("You're all caught up").waitFor();
    const lou = { name: `Lou ${crypto.randomUUID().slice(0, 4)}` };
    await kim.page.request.post(new URL('/api/session', inboxUrl).href, { data: lou });
    await other?.reload();
    await ask(appUrlOfWorker(), lou, 'Pay Bob 40');
    for (const page of pages) await page.getByText('Pay Bob 40 USD.').first().waitFor();
    await askAsKim('Pay Alice 30');
    await ask(appUrlOfWorker(), lou, 'Pay Bob 50');
    for (const page of pages) await page.getByText('Pay Bob 50 USD.').first().waitFor();
    for (const page of pages) expect(await page.getByText('Pay Alice 30 USD.').count()).toBe(0);
    expect(feeds.size).toBe(1);
  });
});
