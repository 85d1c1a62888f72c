// depends on: app lib
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { openPage, viewports } from './launch.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { eventually } from './support/person.ts';

describe('the built app in a browser', () => {
  const home = appUrlOfWorker();

  const views = [
    { colorScheme: 'light', viewport: viewports.desktop },
    { colorScheme: 'dark', viewport: viewports.desktop },
    { colorScheme: 'light', viewport: viewports.phone },
    { colorScheme: 'dark', viewport: viewports.phone },
  ] as const;
  it.for(rowsOfThisRun<(typeof views)[number]>(views, (_, index) => index === 3))(
    'opens in $colorScheme at $viewport.width pixels without an uncaught error',
    async (view, { browser }) => {
      const { page, context, uncaught } = await openPage(browser, view);
      const response = await page.goto(home, { waitUntil: 'load' });
      expect(response?.status()).toBe(200);
      expect(await page.title()).toContain('Countersign');
      expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(
        view.colorScheme === 'dark',
      );
      expect(await page.evaluate(() => innerWidth)).toBe(view.viewport.width);
      expect(uncaught).toEqual([]);
      await context.close();
    },
  );

  it('is monitored: an uncaught error, a console error and a CSP violation are detected', async ({
    browser,
  }) => {
    const { page, context, uncaught, consoleErrors } = await openPage(browser);
    await page.goto(home);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('nobody caught me');
      });
      void Promise.reject(new Error('nobody awaited me'));
      console.error('something is wrong');
      const picture = document.createElement('img');
      picture.setAttribute('onerror', 'globalThis.ran = true');
      picture.src = 'data:,not-a-picture';
      document.body.append(picture);
    });
    await eventually(() => uncaught.join('\n')).toMatch(/nobody/);
    await eventually(() => uncaught.length).toBe(2);
    await eventually(() => consoleErrors.join('\n')).toMatch(
      /something is wrong[\s\S]*Content Security Policy/,
    );
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    await context.close();
  });

  it.each(['br', 'gzip'])(
    'serves its assets with a lifetime of a year, compressed as %s, and does not name its server software',
    async (encoding) => {
      const page = await fetch(home);
      const asset = /\/_next\/static\/[^"]+\.js/.exec(await page.text())?.[0];
      const response = await fetch(new URL(asset ?? 'missing', home), {
        headers: { 'accept-encoding': encoding },
      });
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('content-type')).toBe('application/javascript; charset=UTF-8');
      expect(await response.text()).toContain('TURBOPACK');
      expect(page.headers.get('x-powered-by')).toBeNull();
    },
  );
});
