// depends on: app/chats app/_data lib/server/routes
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { eventually, type Person } from './support/person.ts';

describe('the list of chats', () => {
  it('names a new chat after its first message, and marks it while a question is open', async ({ open }) => {
    const person = await open();
    await person.say('Pay Dora 7 and Emil 8');
    await person.isAsked('Pay Dora 7 USD.');
    const row = rowOf(person, 'Pay Dora 7 and Emil 8');
    await eventually(() => row.innerText()).toContain('one open request');
    await eventually(() => person.page.title()).toMatch(/^\(\d+\)\u00a0Pay Dora 7 and Emil 8 · Countersign$/);
    await person.deny();
    await person.isAsked('Pay Emil 8 USD.');
    await person.deny();
    await person.isTold('Emil was not paid 8 USD: the payment was denied.');
    await eventually(() => row.innerText()).not.toContain('one open request');
    await eventually(() => person.page.title()).toMatch(/^(\(\d+\)\u00a0)?Pay Dora 7/);
  });

  it('leads to a new chat and back to the old one', async ({ open }) => {
    const person = await open();
    await person.say('multiply 11 and 12');
    await person.isTold('11 times 12 is 132.');
    await person.page.getByRole('link', { name: 'New chat' }).click();
    await person.page.getByRole('heading', { name: 'The assistant asks before it acts.' }).waitFor();
    await person.say('multiply 13 and 14');
    await person.isTold('13 times 14 is 182.');
    await rowOf(person, 'multiply 11 and 12').getByRole('link').click();
    await person.isTold('11 times 12 is 132.');
    expect(await person.page.getByText('13 times 14 is 182.').count()).toBe(0);
  });

  it('renames a chat: Enter keeps the title, Escape drops it', async ({ open }) => {
    const person = await open();
    await person.say('multiply 15 and 16');
    await person.isTold('15 times 16 is 240.');
    const field = person.page.getByRole('textbox', { name: 'Title' });

    await press(person, 'Rename “multiply 15 and 16”');
    await field.fill('never mind');
    await field.press('Escape');
    await rowOf(person, 'multiply 15 and 16').waitFor();

    await press(person, 'Rename “multiply 15 and 16”');
    await field.fill('Sums');
    await field.press('Enter');
    await rowOf(person, 'Sums').waitFor();
    await eventually(() => person.page.getByRole('heading', { level: 1 }).innerText()).toBe('Sums');
    await person.page.reload();
    await rowOf(person, 'Sums').waitFor();
  });

  it('says before it deletes a chat with an open question that nobody can answer it any longer', async ({
    open,
  }) => {
    const person = await open();
    await person.say('Pay Delia 30');
    await person.isAsked('Pay Delia 30 USD.');
    const dialog = person.page.getByRole('dialog', { name: 'Delete this chat?' });
    await press(person, 'Delete “Pay Delia 30”');
    await dialog.waitFor();
    const told = /open request can no longer be answered.*sealed record is kept/s;
    await eventually(() => dialog.innerText()).toMatch(told);
    await person.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await person.isAsked('Pay Delia 30 USD.');
  });

  it('deletes a chat permanently, only after confirmation', async ({ open }) => {
    const person = await open();
    await person.say('multiply 17 and 18');
    await person.isTold('17 times 18 is 306.');
    const id = await person.chatId();
    const dialog = person.page.getByRole('dialog', { name: 'Delete this chat?' });

    await press(person, 'Delete “multiply 17 and 18”');
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/can’t be undone.*sealed record is kept/s);
    await person.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await person.server.runOf(id)).toBe('idle');

    await press(person, 'Delete “multiply 17 and 18”');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await person.page.waitForURL((url) => url.pathname === '/');
    await eventually(() => rowOf(person, 'multiply 17 and 18').count()).toBe(0);
    expect(await person.server.runOf(id)).toBe('gone');
  });

  it('says that a chat does not exist', async ({ open }) => {
    const url = `${appUrlOfWorker()}/chats/no-such-chat`;
    const person = await open({ url, expected: /status of 404/ });
    await person.page.getByRole('heading', { name: 'Chat not found' }).waitFor();
    expect(await person.page.getByRole('link', { name: 'Start a new chat' }).getAttribute('href')).toBe('/');
  });
});

function rowOf(person: Person, title: string) {
  const link = person.page.getByRole('link', { name: title });
  return person.page.getByRole('navigation').getByRole('listitem').filter({ has: link });
}

/** The buttons of a row appear on hover. */
async function press(person: Person, name: string): Promise<void> {
  const button = person.page.getByRole('button', { name, includeHidden: true });
  await person.page.getByRole('navigation').getByRole('listitem').filter({ has: button }).hover();
  await button.click();
}
