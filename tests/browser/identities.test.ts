// depends on: app/_identity app/_frame app/chats app/inbox lib/rights lib/server/identity
import { describe, expect } from 'vitest';
import { actAs } from './support/act-as.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { momentOfText, noteClick } from './support/moments.ts';
import { ada, ben } from './support/people.ts';
import { eventually, modesOfThisRun } from './support/person.ts';
import { recordSaid, type Said } from './support/said.ts';

const appUrl = appUrlOfWorker();

describe.each(modesOfThisRun('SSE'))('four eyes over $mode', ({ mode }) => {
  it('Ben requests a large payment and may not approve it; Ada approves it in her inbox, and his chat continues', async ({
    open,
  }) => {
    const amount = mode === 'SSE' ? 5000 : 6000;
    const sentence = `Pay Alice ${amount} USD.`;
    const asker = await open({ as: ben });
    await asker.choose(mode);
    await asker.say(`Pay Alice ${amount}`);
    await asker.isAsked(sentence);
    await asker.question
      .getByText("Waiting for a manager. You can't approve your own request above 1,000.")
      .waitFor();
    expect(await asker.approveButton.count()).toBe(0);
    expect(await asker.denyButton.count()).toBe(0);

    const manager = await open({ as: ada });
    await manager.page.getByRole('link', { name: /^Inbox/ }).click();
    const row = manager.page
      .getByRole('button', { name: sentence })
      .and(manager.page.locator('[aria-expanded]'));
    await eventually(() => row.innerText()).toContain('for Ben');
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    const approve = manager.question.filter({ hasText: sentence }).getByRole('button', { name: 'Approve' });
    await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');

    const said = await recordSaid(asker.page);
    const seen = momentOfText(asker.page, 'Approved by Ada');
    const clicked = await noteClick(manager.page);
    await approve.click();
    const clickedAt = await clicked();
    const ms = (await seen) - clickedAt;
    console.log(`approved by Ada, ${mode}: Ben's chat shows it after ${ms} ms`);
    await asker.isTold(`Alice was paid ${amount} USD.`);
    const tooEarly = ({ at, isSealed, text }: Said) =>
      at < clickedAt && (isSealed || text.includes('Approved'));
    expect((await said()).filter(tooEarly)).toEqual([]);
  });
});

describe('the identities of the demo', () => {
  it('have separate chats, and can be switched back to the local user', async ({ open }) => {
    // Before the page is left, its feed may ask once more with the session that has ended.
    const person = await open({ as: null, expected: /401|404/ });
    await actAs(person, 'Ben');
    await person.say('multiply 5 and 4');
    await person.regenerate.waitFor();
    const bens = person.page.url();
    await actAs(person, 'Local user');
    expect(person.page.url()).toBe(new URL('/', appUrl).href);
    await person.page.goto(bens);
    await person.page.getByRole('heading', { name: 'Chat not found' }).waitFor();
  });

  it('can be switched without leaving a page that everyone may see', async ({ open }) => {
    const url = new URL('/inbox', appUrl).href;
    // Before the page reloads, it may ask once more for what the user before could see.
    const person = await open({ as: null, url, expected: /401|404/ });
    await actAs(person, 'Ada (manager)');
    expect(person.page.url()).toBe(url);
  });

  it('show whose approval the user’s own question waits for', async ({ open }) => {
    const person = await open();
    await person.say('Pay Otto 7000');
    await person.isAsked('Pay Otto 7000 USD.');
    await person.page.getByRole('link', { name: /^Inbox/ }).click();
    const others = person.page.getByRole('region', { name: 'Waiting for someone else' });
    await others.getByRole('link', { name: 'Pay Otto 7000 USD.' }).click();
    await person.isAsked('Pay Otto 7000 USD.');
    await person.stop.click();
  });
});
