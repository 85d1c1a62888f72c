import chromiumBinary from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** How the app is displayed. */
export type View = {
  readonly colorScheme?: 'light' | 'dark';
  /** CSS pixels. Default: a desktop. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** A high-contrast mode of the system, such as Windows has. */
  readonly forcedColors?: 'active' | 'none';
  /** Device pixels per CSS pixel. */
  readonly deviceScaleFactor?: number;
  /** Default: true. */
  readonly javaScriptEnabled?: boolean;
};

/** The tested window sizes. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  /** The narrowest supported width: 1280 pixels at a zoom of 400 %. */
  narrow: { width: 320, height: 640 },
} as const;

/** A page in its own context, and the errors so far on all pages of that context. */
export type Opened = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught errors, oldest first. */
  readonly uncaught: string[];
  /** Console errors of pages and the browser, including CSP violations, with their addresses; oldest first. */
  readonly consoleErrors: string[];
};

/** Unpacks Chromium before it is used. Two processes that did it at once would start a file that the other still writes. */
export async function unpackBrowser(): Promise<void> {
  await chromiumBinary.executablePath();
}

/**
 * Starts a real Chromium without a window, which enforces the rules between origins. npm installs the binary, and it also
 * runs as root. The caller closes it (`browser.close()`).
 */
export async function launchBrowser(): Promise<Browser> {
  // Without WebGL the browser does not emulate a GPU for each frame, which takes two thirds of its CPU time.
  chromiumBinary.setGraphicsMode = false;
  return chromium.launch({
    executablePath: await chromiumBinary.executablePath(),
    args: [...chromiumBinary.args.filter((flag) => !isUnwanted(flag)), '--no-sandbox'],
    headless: true,
  });
}

/** Opens an empty page in a new context: no cookies, no storage, one user. */
export async function openPage(browser: Browser, view: View = {}): Promise<Opened> {
  const context = await browser.newContext({
    ...(view.deviceScaleFactor !== undefined && { deviceScaleFactor: view.deviceScaleFactor }),
    javaScriptEnabled: view.javaScriptEnabled ?? true,
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
    if (message.type() === 'error') consoleErrors.push(`${message.text()} (${message.location().url})`);
  });
  const page = await context.newPage();
  return { page, context, uncaught, consoleErrors };
}

/**
 * Playwright sets the mode itself. The other flags would put all pages into one process, select another mode, or let pages read
 * what other origins send.
 */
function isUnwanted(flag: string): boolean {
  return (
    flag.startsWith('--headless') ||
    ['--single-process', '--no-zygote', '--disable-web-security'].includes(flag)
  );
}
