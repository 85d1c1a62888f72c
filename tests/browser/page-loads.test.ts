// depends on: app next.config.ts lib/react lib/client lib/sse lib/bidi lib/protocol lib/plugins
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { personAt } from './support/person.ts';

const appUrl = appUrlOfWorker();

/** Opens the chat with the only question of this user, until it can be answered. */
async function openChat(page: Page): Promise<void> {
  const response = await page.request.get(new URL('/api/approvals?state=open', appUrl).href);
  const { approvals } = (await response.json()) as { readonly approvals: [{ readonly chatId: string }] };
  await page.goto(new URL(`/chats/${approvals[0].chatId}`, appUrl).href);
  await personAt(page).mayAnswer();
}

const openPath = (path: string) => async (page: Page) => {
  await page.goto(new URL(path, appUrl).href);
};

/** All scripts of the page have run. Its feed stays open. */
async function isIdle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
}

describe('what a page loads first', () => {
  it.for([
    { page: '/chats/x', most: 237_000, load: openChat },
    { page: '/inbox', most: 171_000, load: openPath('/inbox') },
    { page: '/', most: 143_000, load: openPath('/') },
  ])(
    'has at most $most bytes of scripts, with Brotli: $page',
    async ({ page: name, most, load }, { open, ask }) => {
      await ask('Pay Ida 30');
      const { page } = await open({ url: 'about:blank' });
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script')
          sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await load(page);
      await isIdle(page);
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      console.log(`${name} loads ${bytes} bytes of scripts in ${sizes.length} files.`);
      expect(bytes).toBeLessThanOrEqual(most);
      // What is saved must still be there.
      expect(bytes).toBeGreaterThan(100_000);
    },
  );
});

describe('a page whose scripts arrive after it was painted', () => {
  /** In the inbox, what led to the request comes above the card when it is loaded. */
  const views = [
    { page: '/chats/x', size: 'desktop', most: 0, load: openChat },
    { page: '/chats/x', size: 'phone', most: 0, load: openChat },
    { page: '/inbox', size: 'desktop', most: 0.01, load: openPath('/inbox') },
    { page: '/inbox', size: 'phone', most: 0.03, load: openPath('/inbox') },
  ] as const;
  it.for(views)('moves by at most $most: $page, $size', async ({ size, most, load }, { open, ask }) => {
    await ask('Pay Ida 30');
    const { page } = await open({ url: 'about:blank', viewport: viewports[size] });
    await page.addInitScript(observe);
    const painted = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await painted.promise;
      await route.continue();
    });
    const loaded = load(page);
    await page.waitForFunction(() => window.isPainted);
    painted.resolve();
    await loaded;
    await page
      .getByText(/^(Waiting|Asked) /)
      .filter({ visible: true })
      .first()
      .waitFor();
    await isIdle(page);
    const moved = await page.evaluate(() => window.moved);
    const sum = moved.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(moved)).toBeLessThanOrEqual(most);
  });
});

/** Runs in the page, before its own code: collects what moves without the person's doing. */
function observe(): void {
  Object.assign(window, { moved: [], isPainted: false });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue;
      const names = entry.sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return element?.getAttribute('data-countersign') ?? element?.className ?? '';
      });
      window.moved.push({ value: entry.value, names });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver(() => Object.assign(window, { isPainted: true })).observe({
    type: 'paint',
    buffered: true,
  });
}

type Shift = PerformanceEntry & {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
};

declare global {
  interface Window {
    readonly moved: { readonly value: number; readonly names: readonly string[] }[];
    readonly isPainted: boolean;
  }
}
