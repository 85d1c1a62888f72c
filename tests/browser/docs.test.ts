// depends on: app/docs docs
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';
import { eventually } from './support/person.ts';
import { viewsOfThisRun } from './support/views.ts';

const docs = new URL('/docs', appUrlOfWorker()).href;

const pages = [
  '',
  '/readme',
  '/architecture',
  '/guides/gate-a-tool',
  '/adr/0004-response-timing',
  '/api/store',
];

describe('the documentation in the app', () => {
  it.for(viewsOfThisRun)(
    'has no violation that axe finds and does not scroll sideways: $name',
    async (view, { open }) => {
      const { page } = await open({ ...view, url: docs });
      for (const path of pages) {
        await page.goto(`${docs}${path}`);
        await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
        expect(await violationsOf(page), path).toEqual([]);
        const width = await page.evaluate(() => document.querySelector('main')?.scrollWidth ?? Infinity);
        expect(width, path).toBeLessThanOrEqual(view.viewport.width);
      }
    },
  );

  it('is linked from the rail, and links between documents stay in the app', async ({ open }) => {
    const { page } = await open();
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('link', { name: 'Gate a tool' }).click();
    await page.getByRole('heading', { level: 2, name: 'Gate a tool' }).waitFor();
    await page.getByRole('link', { name: 'ADR 0004' }).first().click();
    await page.getByRole('heading', { level: 2, name: /^0004\./ }).waitFor();
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'countersign/sse', exact: true }).click();
    await page.getByRole('link', { name: 'createSseTransport' }).first().click();
    await page.waitForURL(`${docs}/api/sse#createssetransport`);

    const heading = page.getByRole('heading', { name: 'createSseTransport', exact: true });
    await eventually(async () => (await heading.boundingBox())?.y).toBeLessThan(viewports.desktop.height);
    await eventually(() => page.title()).toContain('countersign/sse');
  });

  it('shows its picture, in the system’s colour scheme', async ({ open }) => {
    const { page } = await open({ url: `${docs}/architecture`, colorScheme: 'dark' });
    const picture = page.getByRole('img', { name: /One log for each chat/ });
    await picture.waitFor();

    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    expect(await page.getByText('<!--').count()).toBe(0);
  });

  it.for([
    '/nothing',
    '/guides',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/package',
    '/pictures/..%2fguides%2fgate-a-tool.md',
    '/pictures/..%2f..%2fapp%2ficon.svg',
  ])('has nothing at %s', async (path) => {
    const response = await fetch(`${docs}${path}`);

    expect(response.status).toBe(404);
  });
});
