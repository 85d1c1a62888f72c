import { source } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  /** Defined in the page after axe's source was evaluated there. */
  var axe: typeof import('axe-core');
}

/** The axe violations of the current page: `rule: element, element`; empty if there are none. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Evaluated through the browser's debugger, so the page's script policy need not be weakened.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
  });
}
