import { expect, test } from 'vitest';
import { launchBrowser, openPage, type View } from '../launch.ts';
import { appUrlOfWorker } from './app-url.ts';
import { type Person, personAt } from './person.ts';

/** Where and how a page is opened, and which errors of the browser this test provokes itself. */
export type Opening = View & {
  /** Default: the shared server's start page. */
  readonly url?: string;
  /** Console errors that belong to the fault which the test plants; all others fail it. */
  readonly expected?: RegExp;
};

/**
 * `it` for browser tests. `open()` gives a person in front of a fresh page, in a context of their own. When the
 * test is over, each context must be free of uncaught errors, console errors and CSP violations.
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
