// depends on: app/inbox app/error.tsx
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';

/** Chromium's and Next's console messages for a script that is missing. */
const expected = /404 \(Not Found\)|ChunkLoadError/;

/** Scripts that match are missing, as after a deployment. @returns how many requests there were for them */
async function withoutScripts(page: Page, matches: (code: string) => boolean): Promise<() => number> {
  let missed = 0;
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch();
    if (!matches(await response.text())) return route.fulfill({ response });
    missed += 1;
    return route.fulfill({ status: 404 });
  });
  return () => missed;
}

describe('a script that is missing', () => {
  it('of a button that copies a link leaves the request to answer', async ({ open, ask, paid }) => {
    const id = await ask('Pay Alice 30');
    const person = await open({ url: 'about:blank', expected });
    const missed = await withoutScripts(person.page, (code) => code.includes('Copy link'));
    await person.page.goto(new URL(`/inbox/${id}`, appUrlOfWorker()).href);
    await person.approve();
    await person.page
      .getByText(/^Approved by you/)
      .first()
      .waitFor();
    expect(missed()).toBeGreaterThan(0);
    expect(await paid()).toEqual(['Alice 30']);
  });

  it('of a page that was opened by a link: Try again loads it once it is there', async ({ open }) => {
    const person = await open({ url: 'about:blank', expected });
    const missed = await withoutScripts(person.page, (code) => code.includes('aria-label":"Requests"'));
    await person.page.goto(appUrlOfWorker());
    await person.page.getByRole('link', { name: 'Inbox' }).first().click();
    await person.page.getByRole('heading', { name: 'This page couldn’t be shown' }).waitFor();
    expect(missed()).toBeGreaterThan(0);
    await person.page.unrouteAll();
    await person.page.getByRole('button', { name: 'Try again' }).click();
    await person.page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  });
});
