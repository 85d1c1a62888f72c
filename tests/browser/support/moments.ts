import type { Page } from 'playwright-core';

/**
 * Resolves when the page shows a text, with the moment at which it did, by the page's own clock. All browsers of a
 * test share one machine, so moments of different pages can be compared; what driving them costs is in none.
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

/** Notes the moment of the page's next click. @returns reads it, once there was one: epoch milliseconds */
export async function noteClick(page: Page): Promise<() => Promise<number>> {
  const clicked = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<number>();
    document.addEventListener('click', () => resolve(Date.now()), { capture: true, once: true });
    return { promise };
  });
  return () => clicked.evaluate(({ promise }) => promise);
}
