import { expect, test } from 'vitest';
import { launchBrowser, openPage, type View } from '../launch.ts';
import { appUrlOfWorker } from './app-url.ts';
import { type BreakableLine, layLine } from './breakable-line.ts';
import type { Login } from './people.ts';
import { type Person, personAt } from './person.ts';
import { ask, countPayments } from './server-view.ts';

/** How to open a page, and which browser errors the test causes on purpose. */
export type Opening = View & {
  /** Default: the start page of the worker's app. */
  readonly url?: string;
  /** Who is signed in. Default: the test's own user. `null`: no sign-in, so that the app sees the local user. */
  readonly as?: Login | null;
  /** Expected console errors. All others fail the test. */
  readonly expected?: RegExp;
};

/** Opens a page in a new context, where a person is signed in. */
export type Open = (opening?: Opening) => Promise<Person>;

/**
 * `it` for browser tests. The files of a worker share one browser and one app. Each test has a user of its own, and each page
 * its own context. At the end of the test, no context may have uncaught errors, console errors or CSP violations.
 */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first parameter
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('user', ({}): Login => ({ name: `Kim ${crypto.randomUUID().slice(0, 4)}` }))
  .extend(
    'ask',
    ({ user }) =>
      (text: string): Promise<string> =>
        ask(appUrlOfWorker(), user, text),
  )
  .extend('open', async ({ browser, user }, { onCleanup }) => {
    const checks: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const check of checks) await check();
    });
    return async ({
      url = appUrlOfWorker(),
      as = user,
      expected,
      ...view
    }: Opening = {}): Promise<Person> => {
      const { page, context, uncaught, consoleErrors } = await openPage(browser, view);
      checks.push(async () => {
        await context.close();
        expect(uncaught).toEqual([]);
        expect(consoleErrors.filter((text) => expected === undefined || !expected.test(text))).toEqual([]);
      });
      // Before the page loads: a page that is already open may ask for what only the previous user may see.
      if (as !== null) {
        const home = url.startsWith('http') ? url : appUrlOfWorker();
        const signedIn = await page.request.post(new URL('/api/session', home).href, { data: as });
        expect(signedIn.status()).toBe(200);
      }
      await page.goto(url);
      return personAt(page);
    };
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('line', async ({}, { onCleanup }): Promise<BreakableLine> => {
    const line = await layLine(appUrlOfWorker());
    onCleanup(() => line.close());
    return line;
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('paid', ({}) => countPayments(appUrlOfWorker()));
