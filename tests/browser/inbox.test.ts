// depends on: app/inbox lib/react/inbox lib/react/sheet lib/client/inbox lib/client/sheet lib/views/questions lib/server/routes
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { tabTo } from './support/keyboard.ts';
import { momentOfText, noteClick } from './support/moments.ts';
import { eventually, modesOfThisRun, type Person } from './support/person.ts';
import { everyViewOfThisRun } from './support/views.ts';

const inboxUrl = new URL('/inbox', appUrlOfWorker()).href;
/** The inbox as a user sees it. */
function inboxAt({ page }: Person) {
  const list = page.getByRole('region', { name: 'Open requests' });
  return {
    list,
    row: (words: string) => list.getByRole('button', { name: words }).and(page.locator('[aria-expanded]')),
    card: (words: string) => list.getByRole('group', { name: `Approval needed: ${words}` }),
    async openCard(words: string): Promise<void> {
      const row = this.row(words);
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
      await this.card(words).waitFor();
    },
    recent: list.getByRole('region', { name: 'Recently decided' }),
  };
}

describe.each(modesOfThisRun('BIDI'))(
  'a question of a chat over $mode, answered from the inbox of a phone',
  ({ mode }) => {
    it('settles on both pages without a reload, and the chat continues', async ({ open, paid }) => {
      const name = `Mel${mode}`;
      const desktop = await open();
      await desktop.choose(mode);
      await desktop.say(`Pay ${name} 30`);
      await desktop.isAsked(`Pay ${name} 30 USD.`);
      const phone = await open({ url: inboxUrl, viewport: viewports.phone });
      const inbox = inboxAt(phone);
      await inbox.openCard(`Pay ${name} 30 USD.`);
      const approve = inbox.card(`Pay ${name} 30 USD.`).getByRole('button', { name: 'Approve' });
      await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');

      const onDesktop = momentOfText(desktop.page, 'Approved by');
      const onPhone = momentOfText(phone.page, 'Approved by');
      const clicked = await noteClick(phone.page);
      await approve.click();
      const start = await clicked();
      const desktopMs = (await onDesktop) - start;
      const phoneMs = (await onPhone) - start;
      console.log(
        `answered in the inbox, ${mode}: seen in the chat after ${desktopMs} ms, in the inbox after ${phoneMs} ms`,
      );
      await desktop.isTold(`${name} was paid 30 USD.`);
      expect(await paid()).toEqual([`${name} 30`]);
    });

    it('shows how, by whom and when the chat answered it, then removes it', async ({ open }) => {
      const name = `Kay${mode}`;
      const desktop = await open();
      await desktop.choose(mode);
      await desktop.say(`Pay ${name} 30`);
      await desktop.isAsked(`Pay ${name} 30 USD.`);
      const phone = await open({ url: inboxUrl, viewport: viewports.phone });
      const inbox = inboxAt(phone);
      await inbox.row(`Pay ${name} 30 USD.`).waitFor();
      // What is decided leaves the list after some seconds of the page's clock.
      const { clock } = phone.page;
      await clock.install();
      await clock.pauseAt(Date.now() + 1_000);
      await desktop.deny('Too late.');
      await eventually(() => inbox.row(`Pay ${name} 30 USD.`).innerText()).toMatch(
        /Denied by you.*\d\d:\d\d.*Too late\./s,
      );
      await clock.runFor(6_000);
      await inbox.recent.getByText(`Pay ${name} 30 USD.`).waitFor();
      await eventually(() => inbox.row(`Pay ${name} 30 USD.`).count()).toBe(0);
    });
  },
);

describe('the inbox', () => {
  it('counts the open questions in the rail, on every page, live', async ({ open }) => {
    const [person, other] = [await open(), await open()];
    const link = person.page.getByRole('link', { name: /^Inbox/ });
    const count = async () => Number((await link.innerText()).replace(/\D/g, ''));
    await link.waitFor();
    expect(await count()).toBe(0);
    await other.say('Pay Una 30');
    await other.isAsked('Pay Una 30 USD.');
    await eventually(count).toBe(1);
    await other.deny();
    await eventually(count).toBe(0);
    await link.click();
    await person.page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  it('searches questions by their text, and denies the selected ones with one reason', async ({ open }) => {
    const chats = await Promise.all([open(), open()]);
    for (const [index, chat] of chats.entries()) {
      await chat.say(`Pay Quinn${index} 30`);
      await chat.isAsked(`Pay Quinn${index} 30 USD.`);
    }
    const person = await open({ url: inboxUrl });
    const inbox = inboxAt(person);
    await inbox.row('Pay Quinn1 30 USD.').waitFor();
    await person.page.getByRole('searchbox', { name: 'Search requests' }).fill('quinn');
    await person.page.getByRole('checkbox', { name: 'Select all' }).check();
    await person.page.getByRole('textbox', { name: 'Reason' }).fill('Closed for today');
    await person.page.getByRole('button', { name: 'Deny 2' }).click();
    await person.page.getByText('2 denied.').first().waitFor();
    for (const [index, chat] of chats.entries()) {
      await chat.isTold(`Quinn${index} was not paid 30 USD`);
      expect(await chat.call('process_payment').innerText()).toContain('Closed for today');
    }
  });

  it('shows one question beside the list, or instead of it on a phone, and keeps its filter in the address', async ({
    open,
  }) => {
    const chats = await Promise.all([open(), open()]);
    for (const [index, chat] of chats.entries()) {
      await chat.say(`Pay Olga${index} 30`);
      await chat.isAsked(`Pay Olga${index} 30 USD.`);
    }
    const phone = await open({ url: inboxUrl, viewport: viewports.phone });
    const inbox = inboxAt(phone);
    const row = inbox.row('Pay Olga0 30 USD.');
    await phone.page.getByRole('searchbox', { name: 'Search requests' }).fill('olga');
    await phone.page.waitForURL('**/inbox?text=olga');
    await inbox.openCard('Pay Olga0 30 USD.');
    expect(await row.isVisible()).toBe(false);
    await phone.page.getByRole('button', { name: 'Back to the list' }).click();
    await row.waitFor();
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);

    await phone.page.setViewportSize({ width: 1400, height: 800 });
    await phone.page.reload();
    await phone.page.getByText(/^2 (of \d+ )?open$/).waitFor();
    await inbox.openCard('Pay Olga1 30 USD.');
    expect(await row.isVisible()).toBe(true);

    await phone.page.getByRole('checkbox', { name: 'Select all' }).check();
    await phone.page.getByRole('button', { name: 'Review 2' }).click();
    for (const deny of await phone.page.getByRole('radio', { name: 'Deny' }).all()) await deny.check();
    await phone.page.getByRole('button', { name: 'Submit 2 answers' }).click();
    await phone.page.getByRole('heading', { name: '2 denied.' }).waitFor();
    for (const [index, chat] of chats.entries()) await chat.isTold(`Olga${index} was not paid 30 USD`);
  });

  it('has a page for each question, which strangers do not see', async ({ open }) => {
    const chat = await open();
    await chat.say('Pay Pia 30');
    await chat.isAsked('Pay Pia 30 USD.');
    const [question = ''] = await chat.server.openQuestions();
    const url = new URL(`/inbox/${question}`, appUrlOfWorker()).href;
    const reader = await open({ url });
    await reader.page.getByRole('article', { name: 'Request' }).waitFor();
    await chat.deny();
    await reader.page.getByRole('cell', { name: 'Answered' }).waitFor();
    const stranger = await open({ as: { name: 'Zed' } });
    expect((await stranger.page.request.get(url)).status()).toBe(404);
    expect((await reader.page.request.get(`${url}x`)).status()).toBe(404);
  });

  it.for(everyViewOfThisRun)(
    'finds decided requests, and links to their pages: $name',
    async (view, { ask, open }) => {
      const question = await ask('Pay Wanda 30');
      const person = await open({ ...view, url: `${inboxUrl}?text=wanda` });
      const { page } = person;
      expect(await person.server.answer(question, false)).toBe(200);
      await page.getByRole('link', { name: 'Decided' }).click();
      await page.waitForURL('**/inbox/settled?text=wanda');
      const decided = page.getByRole('region', { name: 'Decided requests' });
      const link = decided.getByRole('link', { name: 'Pay Wanda 30 USD.' });
      await link.first().waitFor();
      await isSound(person, 'decided requests');
      const search = decided.getByRole('searchbox', { name: 'Search requests' });
      await search.fill('wanda nobody');
      await decided.getByText('No decided requests match.').waitFor();
      await isSound(person, 'no match');
      await page.waitForURL('**/inbox/settled?text=wanda+nobody');
      await decided.getByRole('button', { name: 'Show all' }).click();
      await link.first().click();
      await page.getByRole('article', { name: 'Request' }).waitFor();
      const stranger = await open({ as: { name: 'Zoltan' }, url: `${inboxUrl}/settled` });
      await stranger.page.getByRole('heading', { name: 'No decided requests yet' }).waitFor();
    },
  );

  it.for(everyViewOfThisRun)(
    'pre-approves later payments of the same step, after a confirmation: $name',
    async (view, { open, paid }) => {
      const chat = await open();
      await chat.say('Pay Ulla 30 USD, Vito 40 USD and Wim 45 USD');
      await chat.isAsked('Pay Ulla 30 USD.');
      const person = await open({ ...view, url: inboxUrl });
      const { page } = person;
      const inbox = inboxAt(person);
      await inbox.openCard('Pay Ulla 30 USD.');
      const upcoming = page.getByRole('region', { name: 'Upcoming in this chat' });
      await upcoming.getByText('2 more calls of Process payment, USD 85.00 in total').waitFor();
      await upcoming.getByRole('checkbox', { name: 'Pre-approve: Pay Vito 40 USD.' }).focus();
      await page.keyboard.press('Space');
      await isSound(person, 'upcoming calls');
      await upcoming.getByRole('button', { name: 'Pre-approve 1' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Pre-approve a high-risk call?' });
      await dialog.getByText('Pay Vito 40 USD.').waitFor();
      await isSound(person, 'confirmation');
      await dialog.getByRole('button', { name: 'Yes, pre-approve' }).click();
      await upcoming.getByText('1 pre-approved.').waitFor();
      await upcoming.getByRole('button', { name: 'Revoke: Pay Vito 40 USD.' }).waitFor();
      await isSound(person, 'one is approved');
      expect(await paid()).toEqual([]);

      const approve = inbox.card('Pay Ulla 30 USD.').getByRole('button', { name: 'Approve' });
      await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');
      await approve.click();
      await chat.isAsked('Pay Wim 45 USD.');
      expect(await paid()).toEqual(['Ulla 30', 'Vito 40']);
      await chat.mayAnswer();
      await chat.deny();
      await chat.isTold('Wim was not paid 45 USD');
    },
  );

  it('can be used by keyboard alone, from the list to the answer', async ({ open }) => {
    const chat = await open();
    await chat.say('Pay Vera 30');
    await chat.isAsked('Pay Vera 30 USD.');
    const person = await open({ url: inboxUrl });
    const { keyboard } = person.page;
    const inbox = inboxAt(person);
    await inbox.row('Pay Vera 30 USD.').focus();
    if ((await inbox.row('Pay Vera 30 USD.').getAttribute('aria-expanded')) === 'false')
      await keyboard.press('Enter');
    const card = inbox.card('Pay Vera 30 USD.');
    const approve = card.getByRole('button', { name: 'Approve' });
    await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');
    await tabTo(person, card.getByText('Add a reason'));
    await keyboard.press('Enter');
    await card.getByRole('textbox', { name: 'Reason' }).waitFor();
    await keyboard.type('by keyboard');
    await keyboard.press('Control+Enter');
    await eventually(() => chat.call('process_payment').innerText()).toMatch(/Approved[\s\S]*by keyboard/);
    expect(await person.page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  });

  it('reconnects after a lost connection, with everything asked and settled in the meantime', async ({
    line,
    open,
  }) => {
    const chat = await open();
    await chat.say('Pay Wim 30');
    await chat.isAsked('Pay Wim 30 USD.');
    const person = await open({ url: `${line.url}/inbox`, expected: /net::ERR_/ });
    const inbox = inboxAt(person);
    await inbox.row('Pay Wim 30 USD.').waitFor();
    line.cut();
    await person.page.getByText('Reconnecting.').waitFor();
    await chat.deny();
    const other = await open();
    await other.say('Pay Xia 30');
    await other.isAsked('Pay Xia 30 USD.');
    line.mend();
    await inbox.row('Pay Xia 30 USD.').waitFor();
    await eventually(() => inbox.row('Pay Wim 30 USD.').count()).toBe(0);
  });

  it.for(everyViewOfThisRun)(
    'has no violation that axe finds and does not scroll sideways: $name',
    async (view, { ask, open }) => {
      const questions = [await ask('Pay Yan 30'), await ask('Search and update database')];
      const person = await open({ ...view, url: inboxUrl });
      const inbox = inboxAt(person);
      await inbox.row('Pay Yan 30 USD.').first().waitFor();
      await isSound(person, 'list');
      await inbox.row('Pay Yan 30 USD.').first().click();
      const page = person.page.getByRole('link', { name: 'Open as a page' });
      const sheet = new URL((await page.getAttribute('href')) ?? '', appUrlOfWorker()).href;
      await isSound(person, 'card');
      await person.page.keyboard.press('Escape');
      await person.page.getByRole('checkbox', { name: 'Select all' }).check();
      await isSound(person, 'batch');
      await person.page.getByRole('button', { name: /^Review/ }).click();
      await person.page.getByRole('radio', { name: 'Deny' }).first().check();
      await isSound(person, 'review');
      await person.page.getByRole('button', { name: 'Back to the list' }).click();
      for (const id of questions) expect(await person.server.answer(id, false)).toBe(200);
      await inbox.recent.waitFor();
      await isSound(person, 'settled');
      await person.page.goto(sheet);
      await person.page.getByText('Sealed record').waitFor();
      await isSound(person, 'question');
      await person.page.goto(new URL('/remembered', appUrlOfWorker()).href);
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      await isSound(person, 'remembered');
    },
  );
});

describe('remembered approvals', () => {
  it('are listed with what they cover, and asked about again once they are revoked', async ({ open }) => {
    const chat = await open();
    const ask = async () => {
      await chat.say('Search and update database');
      await chat.isAsked('from the demo database.');
    };
    await ask();
    const [question = ''] = await chat.server.openQuestions();
    const remembered = await chat.page.request.post(
      new URL(`/api/approvals/${question}`, appUrlOfWorker()).href,
      { data: { approved: true, plugins: { remembered: { scope: 'chat', match: 'tool' } } } },
    );
    expect(remembered.status()).toBe(200);
    await chat.isAsked('to "reviewed"');
    await chat.deny();
    await chat.isTold('The database was not updated');
    await chat.say('Search and update database');
    await chat.isAsked('to "reviewed"');
    await chat.deny();

    const person = await open({ url: inboxUrl });
    await person.page.getByRole('link', { name: 'Remembered approvals' }).click();
    const item = person.page.getByRole('listitem').filter({ hasText: 'Search database' });
    await eventually(() => item.innerText()).toMatch(/Any arguments, in one chat[\s\S]*Used once/);
    await item.getByRole('button', { name: 'Revoke: Search database' }).click();
    await person.page.getByText('Search database will ask you again.').waitFor();
    expect(await item.count()).toBe(0);
    await ask();
    await chat.stop.click();
  });
});
