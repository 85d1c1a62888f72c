// depends on: app/chats lib/react/card lib/react/styles lib/client/calls lib/client/sheet lib/plugins/forms lib/client/card/unsent.ts
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';
import { eventually } from './support/person.ts';

/** Holds back all requests that match, until `release` is called. */
async function hold(page: Page, matches: (url: URL) => boolean): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(matches, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

describe('text that was typed', () => {
  it('before the page works is kept, and can be sent once it does', async ({ open }) => {
    const person = await open({ url: 'about:blank' });
    const release = await hold(person.page, ({ pathname }) => pathname.endsWith('.js'));
    await person.page.goto(appUrlOfWorker(), { waitUntil: 'commit' });
    await person.message.fill('multiply 5 and 4');
    release();
    await person.page.getByRole('button', { name: 'Send', exact: true }).click();
    await person.isTold('5 times 4 is 20.');
    expect(await person.message.inputValue()).toBe('');
  });

  it('while the page of a new chat loads is its next message, also after a reload, until it is sent', async ({
    open,
  }) => {
    const person = await open();
    const release = await hold(person.page, ({ pathname }) => pathname.startsWith('/chats/'));
    await person.say('Pay Alice 30');
    await eventually(() => person.message.inputValue()).toBe('');
    await person.message.pressSequentially('and Bob');
    release();
    await person.isAsked('Pay Alice 30 USD.');
    expect(await person.message.inputValue()).toBe('and Bob');
    await person.page.reload();
    await person.mayAnswer();
    expect(await person.message.inputValue()).toBe('and Bob');
    await person.message.fill('multiply 5 and 4');
    await person.message.press('Enter');
    await person.isTold('5 times 4 is 20.');
    await person.page.getByRole('link', { name: 'New chat' }).click();
    await person.page.getByRole('heading', { name: 'The assistant asks' }).waitFor();
    expect(await person.message.inputValue()).toBe('');
  });
});

describe('a reason that was typed, and not sent', () => {
  it('survives a reload, and is shown as not sent once another person has answered', async ({ open }) => {
    const person = await open();
    await person.say('Pay Alice 30');
    await person.isAsked('Pay Alice 30 USD.');
    await person.openReason();
    await person.reason.fill('Wrong payee');
    await person.page.reload();
    await person.mayAnswer();
    await eventually(() => person.reason.inputValue()).toBe('Wrong payee');

    const [id = ''] = await person.server.openQuestions();
    await person.server.answer(id, false);
    const card = person.call('process_payment');
    await card.getByText('Not sent').waitFor();
    await card.getByText('Wrong payee').waitFor();
    expect(await violationsOf(person.page)).toEqual([]);
    await card.getByRole('button', { name: 'Discard' }).click();
    await eventually(() => card.getByText('Not sent').count()).toBe(0);
  });
});
