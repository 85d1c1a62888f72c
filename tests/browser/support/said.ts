import type { Page } from 'playwright-core';

/** What the cards of a page said at one moment. Epoch milliseconds, by the clock of this machine. */
export type Said = {
  readonly at: number;
  /** The states of the calls, as `data-state`. */
  readonly calls: readonly string[];
  /** Whether a stamped seal was on a card. */
  readonly isSealed: boolean;
  /** All text of the cards. */
  readonly text: string;
};

/** Records what the cards of a page say, at each change of the document, also after a reload. */
export async function recordSaid(page: Page): Promise<() => Promise<readonly Said[]>> {
  const all: Said[] = [];
  await page.exposeFunction('countersignSaid', (said: Said) => void all.push(said));
  const observe = () => {
    let before = '';
    const read = () => {
      const cards = '[data-countersign="tool"], [data-countersign="card"]';
      const all = [...document.querySelectorAll<HTMLElement>(cards)];
      const calls = all.flatMap(({ dataset }) =>
        dataset.countersign === 'tool' ? [dataset.state ?? ''] : [],
      );
      const isSealed = all.some((card) => card.querySelector('[data-tone="stamp"]') !== null);
      const text = all.map((card) => card.textContent ?? '').join('\n');
      const now = JSON.stringify({ calls, isSealed, text });
      if (now === before) return;
      before = now;
      const report: unknown = Reflect.get(globalThis, 'countersignSaid');
      if (typeof report === 'function') report({ at: Date.now(), calls, isSealed, text });
    };
    new MutationObserver(read).observe(document, {
      ...{ subtree: true, childList: true, characterData: true, attributes: true },
    });
    read();
  };
  await page.addInitScript(observe);
  await page.evaluate(observe);
  return async () => {
    // Reports come in order, so this one is the last.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    return all;
  };
}
