import type { Page } from 'playwright-core';
import type { View } from '../../tests/browser/launch.ts';
import type { Person } from '../../tests/browser/support/person.ts';

/** A running app without chats, and a browser. */
export type Studio = {
  readonly url: string;
  /** Opens a page in a context of its own, with reduced motion. @param url default: the start page */
  readonly open: (view?: View, url?: string) => Promise<Person>;
};

/** Takes a picture of what is in the window, once nothing moves. */
export async function photograph(page: Page, path: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  await page.screenshot({ path });
}

/** Signs a person of the demo in. Pages that are opened or reloaded after it are theirs. */
export async function signIn(
  { page }: Person,
  url: string,
  data: { readonly name: string; readonly role?: string },
): Promise<void> {
  await page.request.post(`${url}/api/session`, { data, headers: { origin: url } });
}
