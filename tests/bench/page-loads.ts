import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../browser/launch.ts';
import { type ServedApp, serveApp } from '../browser/support/serve-app.ts';
import { median } from './support/distribution.ts';

/** One page of the app in Chromium, with an empty cache. Times are medians in milliseconds. */
export type PageLoad = {
  readonly page: string;
  /** Kilobytes of JavaScript, as sent, until the page can take the first decision. */
  readonly firstScriptKb: number;
  /** The same until the page is idle. */
  readonly scriptKb: number;
  /** When the largest paint was, at 1.6 Mbit/s, 150 ms and a quarter of the CPU. */
  readonly largestPaint: number;
  /** When Approve accepts an answer, under the same conditions. `NaN` without a question. */
  readonly usable: number;
  /** The sum of the layout shifts under the same conditions. */
  readonly layoutShift: number;
};

const root = resolve(import.meta.dirname, '../..');
const bytesPerSecond = 1_600_000 / 8;

/** Opens the pages of the built app, which has one chat with an open question. @param rounds of the throttled loads */
export async function pageLoads(rounds: number): Promise<PageLoad[]> {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  const app = await serveApp();
  const browser = await launchBrowser();
  try {
    const chat = await openQuestion(browser, app);
    const rows: PageLoad[] = [];
    for (const [name, path, hasQuestion] of [
      ['/chats/x', new URL(chat).pathname, true],
      ['/inbox', '/inbox', false],
      ['/', '/', false],
    ] as const) {
      rows.push(await measurePage(browser, { name, url: app.url + path, hasQuestion, rounds }));
    }
    return [...rows, await streamedQuestions(browser, app.url), frameworkAlone()];
  } finally {
    await browser.close();
    await app.stop();
  }
}

type PageToMeasure = {
  readonly name: string;
  readonly url: string;
  readonly hasQuestion: boolean;
  readonly rounds: number;
};

async function measurePage(
  browser: Browser,
  { name, url, hasQuestion, rounds }: PageToMeasure,
): Promise<PageLoad> {
  const loads: Omit<PageLoad, 'page'>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { page, scripts } = await openMeasured(browser, { isSlow: true });
    await page.goto(url);
    const usable = hasQuestion ? await timeOfUsable(page) : Number.NaN;
    if (name === '/inbox') await page.locator('[data-countersign="inbox-row"]').first().waitFor();
    await page.waitForLoadState('load');
    const firstScriptKb = scripts.bytes() / 1_000;
    await page.waitForLoadState('networkidle').catch(() => {});
    loads.push({ usable, firstScriptKb, scriptKb: scripts.bytes() / 1_000, ...(await paintsOf(page)) });
    await page.context().close();
  }
  const middle = (field: keyof Omit<PageLoad, 'page'>) => median(loads.map((load) => load[field]));
  return {
    page: name,
    firstScriptKb: middle('firstScriptKb'),
    scriptKb: middle('scriptKb'),
    largestPaint: middle('largestPaint'),
    usable: middle('usable'),
    layoutShift: middle('layoutShift'),
  };
}

/** A chat in which two questions arrive while the page is open. */
async function streamedQuestions(browser: Browser, url: string): Promise<PageLoad> {
  const { page, scripts } = await openMeasured(browser, { isSlow: false });
  await page.goto(url);
  await say(page, 'Pay Alice 30 and Bob 40');
  for (const name of ['Alice', 'Bob']) {
    await page
      .getByRole('group', { name: /^Approval needed/ })
      .filter({ hasText: name })
      .waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
  }
  await page.getByRole('button', { name: 'Regenerate' }).waitFor();
  const { layoutShift } = await paintsOf(page);
  await page.context().close();
  const none = Number.NaN;
  return {
    ...{ page: '/chats/x, two questions streamed', firstScriptKb: none, scriptKb: scripts.bytes() / 1_000 },
    ...{ largestPaint: none, usable: none, layoutShift },
  };
}

/** What each page has in any case: Next and React, by the manifest of the build. */
function frameworkAlone(): PageLoad {
  const folder = join(root, '.next');
  const { rootMainFiles }: { rootMainFiles: string[] } = JSON.parse(
    readFileSync(join(folder, 'build-manifest.json'), 'utf8'),
  );
  const kb = rootMainFiles.reduce((sum, file) => sum + statSync(join(folder, `${file}.br`)).size / 1_000, 0);
  const none = Number.NaN;
  return {
    ...{ page: 'Next and React alone', firstScriptKb: kb, scriptKb: kb },
    ...{ largestPaint: none, usable: none, layoutShift: none },
  };
}

/** Asks one question. @returns the address of its chat */
async function openQuestion(browser: Browser, { url }: ServedApp): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  await say(page, 'Pay Ida 30');
  await timeOfUsable(page);
  const address = page.url();
  await page.close();
  return address;
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

async function timeOfUsable(page: Page): Promise<number> {
  await page.waitForFunction(() => {
    const button = document.querySelector('[data-countersign="card-approve"]');
    return button !== null && button.ariaDisabled !== 'true';
  });
  return page.evaluate(() => performance.now());
}

async function openMeasured(browser: Browser, { isSlow }: { readonly isSlow: boolean }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const scripts = await countScripts(session);
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', {
      ...{
        offline: false,
        latency: 150,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      },
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await page.addInitScript(() => {
    const paints = { largestPaint: 0, layoutShift: 0 };
    Object.assign(window, { paints });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) paints.largestPaint = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry.toJSON() as { value: number; hadRecentInput: boolean };
        if (!hadRecentInput) paints.layoutShift += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return { page, scripts };
}

/** Counts what scripts take on the wire. */
async function countScripts(session: CDPSession): Promise<{ bytes(): number }> {
  const ids = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') ids.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (ids.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return { bytes: () => bytes };
}

async function paintsOf(page: Page): Promise<Pick<PageLoad, 'largestPaint' | 'layoutShift'>> {
  return page.evaluate(() => window.paints);
}

declare global {
  interface Window {
    readonly paints: Pick<PageLoad, 'largestPaint' | 'layoutShift'>;
  }
}
