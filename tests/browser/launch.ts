import chromiumBinary from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** How a person looks at the app. */
export type View = {
  readonly colorScheme?: 'light' | 'dark';
  /** CSS pixels; a desktop unless said otherwise. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: 'reduce' | 'no-preference';
};

/** Sizes worth looking at. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** A page of its own context, and what went wrong on it so far. */
export type Opened = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that nothing on the page caught, oldest first. */
  readonly uncaught: string[];
  /** What the page or the browser wrote to the console as an error, oldest first. */
  readonly consoleErrors: string[];
};

/**
 * Starts a real Chromium without a window. The binary comes with npm and runs as root too.
 * The caller closes it (`browser.close()`).
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumBinary.executablePath(),
    args: [...chromiumBinary.args.filter((flag) => !isOfOldHeadless(flag)), '--no-sandbox'],
    headless: true,
  });
}

/** Opens an empty page in a fresh context: no cookies, no storage, one person. */
export async function openPage(browser: Browser, view: View = {}): Promise<Opened> {
  const context = await browser.newContext({
    colorScheme: view.colorScheme ?? 'light',
    viewport: view.viewport ?? viewports.desktop,
    reducedMotion: view.reducedMotion ?? 'no-preference',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  const uncaught: string[] = [];
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => uncaught.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  return { page, context, uncaught, consoleErrors };
}

/** Playwright sets the mode itself; the flags below would put all pages into one process or choose another mode. */
function isOfOldHeadless(flag: string): boolean {
  return flag.startsWith('--headless') || flag === '--single-process' || flag === '--no-zygote';
}
