import { source } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  /** Defined in the page once axe's source was evaluated there. */
  var axe: typeof import('axe-core');
}

/** What axe says of the page as it is now: `rule: element, element`; empty when it finds nothing. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Evaluated by the browser's debugger, so the page's own policy for scripts does not have to be weakened.
  await page.evaluate(source);
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
  });
}
