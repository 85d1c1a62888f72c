// depends on: lib/client lib/react lib/sse lib/bidi lib/protocol app/chats app/inbox
import { describe, expect } from 'vitest';
import { newerThanBrowsers } from '../support/newer-than-browsers.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { modes, personAt } from './support/person.ts';

/** Runs in the page, before its own code. */
function forget(newer: typeof newerThanBrowsers): void {
  for (const [path, names] of Object.entries(newer)) {
    const keys = path === 'globalThis' ? [] : path.split('.');
    const owner = keys.reduce<unknown>((object, key) => Reflect.get(object as object, key), globalThis);
    for (const name of names) Reflect.deleteProperty(owner as object, name);
  }
}

describe.each(modes)(
  'in a browser that has only what the oldest supported ones have, over $mode',
  ({ mode }) => {
    it('edited arguments are approved, and another question in the inbox', async ({ open, paid }) => {
      const person = await open();
      const context = person.page.context();
      await context.addInitScript(forget, newerThanBrowsers);
      await person.page.reload();
      await person.choose(mode);
      await person.say('Pay Alice 30 and Bob 40');
      await person.isAsked('Pay Alice 30 USD.');
      await person.mayAnswer();
      await person.question.getByRole('button', { name: 'Edit' }).click();
      await person.question.getByLabel('Amount').fill('20');
      await person.approve();
      await person.isAsked('Pay Bob 40 USD.');

      const inbox = personAt(await context.newPage());
      await inbox.page.goto(new URL('/inbox', appUrlOfWorker()).href);
      const row = inbox.page
        .getByRole('button', { name: 'Pay Bob 40 USD.' })
        .and(inbox.page.locator('[aria-expanded]'));
      await row.waitFor();
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
      await inbox.isAsked('Pay Bob 40 USD.');
      await inbox.approve();
      await person.isTold('Alice was paid 20 USD. Bob was paid 40 USD.');
      expect(await paid()).toEqual(['Alice 20', 'Bob 40']);
    });
  },
);
