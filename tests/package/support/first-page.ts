import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchBrowser, type Opened, openPage, type View } from '../../browser/launch.ts';
import { type FirstApp, followFirstGuide, type Styling } from './first-guide.ts';
import { servePaymentProvider } from './payment-provider.ts';
import { startProgram } from './start-program.ts';

/** The first guide's app, served from a folder of its own. */
export type FirstPage = Opened & { readonly url: string };

/**
 * Follows the first guide once for the tests of a suite.
 *
 * @returns opens its app in a browser, with chats of its own; all of it ends with the test
 */
export function setUpFirstPage(styling: Styling): (view?: View) => Promise<FirstPage> {
  let built: FirstApp | undefined;
  beforeAll(async () => {
    built = await followFirstGuide(styling);
  });
  afterAll(async () => {
    if (built) await rm(built.folder, { recursive: true, force: true });
  });

  return async (view) => {
    if (!built) throw new Error('The app is built by a hook: call this within a test.');
    const { app, serving } = built;
    for (const file of ['chats.sqlite', 'chats.sqlite-wal', 'chats.sqlite-shm']) {
      await rm(join(app, file), { force: true });
    }
    const env = { ...(await servePaymentProvider()), PORT: '0', HOSTNAME: '127.0.0.1' };
    const { url } = await startProgram(serving, { cwd: app, env });
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const opened = await openPage(browser, view);
    await opened.page.goto(url);
    return { ...opened, url };
  };
}
