import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './person.ts';

const mostStops = 60;

/** Presses Tab until an element has the focus. It fails if none of the first stops is that element. */
export async function tabTo(
  { page }: Person,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  for (let count = 0; count < mostStops; count += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(key);
  }
  expect.fail(`${target} cannot be reached by ${key}.`);
}

/** Whether an element has the focus. */
export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}
