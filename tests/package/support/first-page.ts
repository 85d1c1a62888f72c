import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchBrowser, type Opened, openPage, type View } from '../../browser/launch.ts';
import { followFirstGuide, type Styling } from './first-guide.ts';
import { servePaymentProvider } from './payment-provider.ts';
import { startProgram } from './start-program.ts';

/** The first guide's app, served from a folder of its own. */
export type FirstPage = Opened & { readonly url: string };

/**
 * Follows the first guide once for the tests of a suite, and serves its app to all of them.
 *
 * @returns opens its start page, which begins a new chat, in a browser with no cookies and no storage
 */
export function setUpFirstPage(styling: Styling): (view?: View) => Promise<FirstPage> {
  const cleanups: (() => Promise<unknown>)[] = [];
  let open: ((view?: View) => Promise<FirstPage>) | undefined;

  beforeAll(async () => {
    const { folder, app, serving } = await followFirstGuide(styling);
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const provider = await servePaymentProvider();
    cleanups.push(provider.close);
    const env = { ...provider.environment, PORT: '0', HOSTNAME: '127.0.0.1' };
    const server = startProgram(serving, { cwd: app, env });
    cleanups.push(server.stop);
    const url = await server.url;
    const browser = await launchBrowser();
    cleanups.push(() => browser.close());

    open = async (view) => {
      const opened = await openPage(browser, view);
      onTestFinished(() => opened.context.close());
      await opened.page.goto(url);
      return { ...opened, url };
    };
  });
  afterAll(async () => {
    for (const cleanUp of cleanups.reverse()) await cleanUp();
  });

  return (view) => {
    if (!open) throw new Error('The app is built by a hook: call this within a test.');
    return open(view);
  };
}
