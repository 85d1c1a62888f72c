import chromiumBinary from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** How a person looks at the app. */
export type View = {
  readonly colorScheme?: 'light' | 'dark';
  /** CSS pixels; a desktop unless said otherwise. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** A high-contrast mode of the system, such as Windows has. */
  readonly forcedColors?: 'active' | 'none';
  /** Device pixels a CSS pixel. */
  readonly deviceScaleFactor?: number;
};

/** Sizes worth looking at. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  /** The narrowest that has to work: 1280 pixels at a zoom of 400 %. */
  narrow: { width: 320, height: 640 },
} as const;

/** A page of its own context, and what went wrong so far, on it and on any other page of that context. */
export type Opened = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that nothing caught, oldest first. */
  readonly uncaught: string[];
  /** What pages or the browser wrote to the console as an error, violations of the CSP included; oldest first. */
  readonly consoleErrors: string[];
};

/**
 * Starts a real Chromium without a window. The binary comes with npm and runs as root too.
 * The caller closes it (`browser.close()`).
 */
export async function launchBrowser(): Promise<Browser> {
  // Without WebGL the browser does not emulate a GPU for each frame, which takes two thirds of its CPU time.
  chromiumBinary.setGraphicsMode = false;
  return chromium.launch({
    executablePath: await chromiumBinary.executablePath(),
    args: [...chromiumBinary.args.filter((flag) => !isOfOldHeadless(flag)), '--no-sandbox'],
    headless: true,
  });
}

/** Opens an empty page in a fresh context: no cookies, no storage, one person. */
export async function openPage(browser: Browser, view: View = {}): Promise<Opened> {
  const context = await browser.newContext({
    ...(view.deviceScaleFactor !== undefined && { deviceScaleFactor: view.deviceScaleFactor }),
    forcedColors: view.forcedColors ?? 'none',
    colorScheme: view.colorScheme ?? 'light',
    viewport: view.viewport ?? viewports.desktop,
    reducedMotion: view.reducedMotion ?? 'no-preference',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const uncaught: string[] = [];
  const consoleErrors: string[] = [];
  context.on('weberror', (error) => uncaught.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  const page = await context.newPage();
  return { page, context, uncaught, consoleErrors };
}

/** Playwright sets the mode itself; the flags below would put all pages into one process or choose another mode. */
function isOfOldHeadless(flag: string): boolean {
  return flag.startsWith('--headless') || flag === '--single-process' || flag === '--no-zygote';
}
