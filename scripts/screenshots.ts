import { resolve } from 'node:path';
import { launchBrowser, openPage } from '../tests/browser/launch.ts';
import { personAt } from '../tests/browser/support/person.ts';
import { serveApp } from '../tests/browser/support/serve-app.ts';
import { takeReadmePictures } from './screenshots/readme-pictures.ts';
import { takeStates } from './screenshots/states.ts';
import type { Studio } from './screenshots/studio.ts';

/**
 * `npm run screenshots`: takes pictures of the built app with its scripted model. Not part of the tests: run it when
 * the pages change. The pictures of the documents go to `docs/screenshots/`. The table of states (page, state, width,
 * theme) goes to `screenshots/`, which is not committed; `screenshots/index.html` shows it.
 */
const root = resolve(import.meta.dirname, '..');
const parts = [
  () => inStudio((studio) => takeReadmePictures(studio, resolve(root, 'docs/screenshots'))),
  () => inStudio((studio) => takeStates(studio, resolve(root, 'screenshots'))),
];

for (const part of parts) await part();

/** Each part has a server of its own, so that the chats of one are not in the lists of the other. */
async function inStudio(take: (studio: Studio) => Promise<void>): Promise<void> {
  const app = await serveApp({ COUNTERSIGN_DEMO_DELAY_MS: '0' });
  const browser = await launchBrowser();
  try {
    await take({
      url: app.url,
      async open(view = {}, url = app.url) {
        const { page } = await openPage(browser, { reducedMotion: 'reduce', ...view });
        await page.goto(url);
        return personAt(page);
      },
    });
  } finally {
    await browser.close();
    await app.stop();
  }
}
