import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import type { Person } from './person.ts';

/** No axe violation, and no horizontal scrolling. @param state what the page shows, for the message of a failure */
export async function isSound({ page }: Person, state: string): Promise<void> {
  expect(await violationsOf(page), state).toEqual([]);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const main = document.querySelector('main');
    return Math.max(scrollWidth - clientWidth, (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0));
  });
  expect(overflow, `${state}: pixels that overflow`).toBeLessThanOrEqual(0);
}
