import { describe, expect } from 'vitest';
import { actAs } from './support/act-as.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { momentOfText, noteClick } from './support/moments.ts';
import { eventually, modesOfThisRun } from './support/person.ts';
import { recordSaid, type Said } from './support/said.ts';

const appUrl = appUrlOfWorker();

describe.each(modesOfThisRun('SSE'))('four eyes over $mode', ({ mode }) => {
  it('Ben requests a large payment and may not approve it; Ada approves it in her inbox, and his chat continues', async ({
    open,
  }) => {
    const amount = mode === 'SSE' ? 5000 : 6000;
    const sentence = `Pay Alice ${amount} USD.`;
    const ben = await open();
    await actAs(ben, 'Ben');
    await ben.choose(mode);
    await ben.say(`Pay Alice ${amount}`);
    await ben.isAsked(sentence);
    await ben.question
      .getByText("Waiting for a manager. You can't approve your own request above 1,000.")
      .waitFor();
    expect(await ben.approveButton.count()).toBe(0);
    expect(await ben.denyButton.count()).toBe(0);

    const ada = await open();
    await actAs(ada, 'Ada (manager)');
    await ada.page.getByRole('link', { name: /^Inbox/ }).click();
    const row = ada.page.getByRole('button', { name: sentence }).and(ada.page.locator('[aria-expanded]'));
    await eventually(() => row.innerText()).toContain('for Ben');
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    const approve = ada.question.filter({ hasText: sentence }).getByRole('button', { name: 'Approve' });
    await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');

    const said = await recordSaid(ben.page);
    const seen = momentOfText(ben.page, 'Approved by Ada');
    const clicked = await noteClick(ada.page);
    await approve.click();
    const clickedAt = await clicked();
    const ms = (await seen) - clickedAt;
    console.log(`approved by Ada, ${mode}: Ben's chat shows it after ${ms} ms`);
    await ben.isTold(`Alice was paid ${amount} USD.`);
    const tooEarly = ({ at, isSealed, text }: Said) =>
      at < clickedAt && (isSealed || text.includes('Approved'));
    expect((await said()).filter(tooEarly)).toEqual([]);
  });
});

describe('the identities of the demo', () => {
  it('have separate chats, and can be switched back to the local user', async ({ open }) => {
    // Before the page is left, its feed may ask once more with the session that has ended.
    const person = await open({ expected: /401|404/ });
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
    const person = await open({ url, expected: /401|404/ });
    await actAs(person, 'Ada (manager)');
    expect(person.page.url()).toBe(url);
  });

  it('show whose approval the user’s own question waits for', async ({ open }) => {
    const ben = await open();
    await actAs(ben, 'Ben');
    await ben.say('Pay Otto 7000');
    await ben.isAsked('Pay Otto 7000 USD.');
    await ben.page.getByRole('link', { name: /^Inbox/ }).click();
    const others = ben.page.getByRole('region', { name: 'Waiting for someone else' });
    await others.getByRole('link', { name: 'Pay Otto 7000 USD.' }).click();
    await ben.isAsked('Pay Otto 7000 USD.');
    await ben.stop.click();
  });
});
