import type { Page } from 'playwright-core';

/**
 * Resolves when the page shows a text, with the time by the page's own clock. All browsers of a test run on one
 * machine, so times of different pages are comparable. They do not include the cost of driving the pages.
 *
 * @returns epoch milliseconds
 */
export async function momentOfText(page: Page, words: string): Promise<number> {
  const seen = await page.waitForFunction(
    (text) => document.body.innerText.includes(text) && Date.now(),
    words,
    { polling: 'raf' },
  );
  return Number(await seen.jsonValue());
}

/**
 * Records the time of the page's next click. @returns a function that returns it after the click, in epoch
 * milliseconds
 */
export async function noteClick(page: Page): Promise<() => Promise<number>> {
  const clicked = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<number>();
    document.addEventListener('click', () => resolve(Date.now()), { capture: true, once: true });
    return { promise };
  });
  return () => clicked.evaluate(({ promise }) => promise);
}
