import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchBrowser, type Opened, openPage, type View } from '../../browser/launch.ts';
import { installExample } from './installed.ts';
import { servePaymentProvider } from './payment-provider.ts';
import { run } from './run.ts';
import { startProgram } from './start-program.ts';

/** The first guide's app, served from a folder of its own. */
export type FirstPage = Opened & { readonly url: string };

/**
 * Installs and builds the first guide's app once for the tests of a file, as `next build` does it for everybody.
 *
 * @returns opens it in a browser, with chats of its own; all of it ends with the test
 */
export function setUpFirstPage(): (view?: View) => Promise<FirstPage> {
  let built = '';
  beforeAll(async () => {
    built = await installExample('next-minimal');
    await run('npm', ['run', 'build'], { cwd: built });
  });
  afterAll(() => rm(built, { recursive: true, force: true }));

  return async (view) => {
    for (const file of ['chats.sqlite', 'chats.sqlite-wal', 'chats.sqlite-shm']) {
      await rm(join(built, file), { force: true });
    }
    const env = { ...(await servePaymentProvider()), PORT: '0', HOSTNAME: '127.0.0.1' };
    const { url } = await startProgram('npm start', { cwd: built, env });
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const opened = await openPage(browser, view);
    await opened.page.goto(url);
    return { ...opened, url };
  };
}
