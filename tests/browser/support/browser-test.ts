import { expect, test } from 'vitest';
import { launchBrowser, openPage, type View } from '../launch.ts';
import { appUrlOfWorker } from './app-url.ts';
import { type Person, personAt } from './person.ts';

/** How to open a page, and which browser errors the test causes on purpose. */
export type Opening = View & {
  /** Default: the shared server's start page. */
  readonly url?: string;
  /** Expected console errors. All others fail the test. */
  readonly expected?: RegExp;
};

/**
 * `it` for browser tests. `open()` returns a user with a new page in its own context. At the end of the test, no
 * context may have uncaught errors, console errors or CSP violations.
 */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first parameter
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('open', async ({ browser }, { onCleanup }) => {
    const checks: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const check of checks) await check();
    });
    return async ({ url = appUrlOfWorker(), expected, ...view }: Opening = {}): Promise<Person> => {
      const { page, context, uncaught, consoleErrors } = await openPage(browser, view);
      checks.push(async () => {
        await context.close();
        expect(uncaught).toEqual([]);
        expect(consoleErrors.filter((text) => expected === undefined || !expected.test(text))).toEqual([]);
      });
      await page.goto(url);
      return personAt(page);
    };
  });
