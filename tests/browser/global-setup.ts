import type { TestProject } from 'vitest/node';
import { serveLater } from '../support/later.ts';
import { prepared } from '../support/prepared.ts';
import { unpackBrowser } from './launch.ts';
import { serveApp } from './support/serve-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to wait for the addresses of the built app, one for each worker. @see appUrlOfWorker */
    appUrls: string;
  }
}

/** Builds the app if its sources changed, and serves it with the scripted model, once for each worker. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await unpackBrowser();
  const apps = serveApps(Number(project.vitest.config.maxWorkers));
  const { url, close } = await serveLater(apps.then((served) => served.map((app) => app.url)));
  project.provide('appUrls', url);
  return async () => {
    close();
    const served = await apps.catch(() => []);
    await Promise.all(served.map(({ stop }) => stop()));
  };
}

async function serveApps(workers: number) {
  await prepared('app build');
  // The model's words need no time here.
  return Promise.all(Array.from({ length: workers }, () => serveApp({ COUNTERSIGN_DEMO_DELAY_MS: '0' })));
}
