import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from './person.ts';

/** Presses Tab until an element has the focus. It fails if as many stops as the page can have do not lead there. */
export async function tabTo(
  { page }: { readonly page: Page },
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  const focusable = 'a, button, input, select, textarea, summary, [tabindex]';
  // And the document, where a round begins.
  let left = (await page.locator(focusable).count()) + 1;
  while (!(await isFocused(target))) {
    if (left === 0) expect.fail(`${target} cannot be reached by ${key}.`);
    left -= 1;
    await page.keyboard.press(key);
  }
}

/** Whether an element has the focus. */
export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** Waits until an element has the focus. */
export async function hasFocus(target: Locator): Promise<void> {
  await eventually(() => isFocused(target), `${target} has the focus`).toBe(true);
}
