// depends on: app/delegations lib/rights lib/server/routes
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { delegate, revoke } from './support/delegate.ts';
import { isSound } from './support/is-sound.ts';
import { ada, ben } from './support/people.ts';
import { eventually, type Person } from './support/person.ts';
import { everyViewOfThisRun } from './support/views.ts';

const delegationsUrl = new URL('/delegations', appUrlOfWorker()).href;
const inboxUrl = new URL('/inbox', appUrlOfWorker()).href;

/** Ends what an earlier test of this server left. */
async function endAll({ page }: Person): Promise<void> {
  const api = new URL('/api/delegations', appUrlOfWorker()).href;
  const { given } = await (await page.request.get(api)).json();
  for (const { id } of given)
    await page.request.delete(`${api}/${id}`, { headers: { 'content-type': 'application/json' } });
  await page.reload();
}

describe('delegations', () => {
  it('let another person answer, from the form to the card of the answer, until they are revoked', async ({
    open,
  }) => {
    const manager = await open({ as: ada, url: inboxUrl });
    await manager.page.getByRole('link', { name: 'Delegations' }).click();
    await manager.page.getByRole('heading', { level: 1, name: 'Delegations' }).waitFor();
    await endAll(manager);
    await manager.page.getByRole('heading', { name: 'Nobody answers for you' }).waitFor();

    const asker = await open();
    await asker.say('Pay Zoe 8100');
    const sentence = 'Pay Zoe 8100 USD.';
    await asker.isAsked(sentence);
    const inbox = await open({ as: ben, url: inboxUrl });
    const row = inbox.page.getByRole('button', { name: sentence }).and(inbox.page.locator('[aria-expanded]'));
    expect(await row.count()).toBe(0);

    const { page } = manager;
    await delegate(page, { to: 'Ben', tool: 'Process payment', note: 'On holiday until Monday.' });
    // Nobody is chosen for the next delegation.
    expect(await page.getByRole('searchbox', { name: /^To/ }).inputValue()).toBe('');
    const item = page.getByRole('listitem').filter({ hasText: 'Ben answers for you' });
    await eventually(() => item.innerText()).toContain('On holiday until Monday.');

    // The feed of Ben's open inbox ends, and the list that is read then has the question.
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    await inbox.page.getByText('You answer for Ada.').waitFor();
    await inbox.page.getByText('Can answer: Ada').waitFor();
    const approve = inbox.question.filter({ hasText: sentence }).getByRole('button', { name: 'Approve' });
    await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');
    await approve.click();
    await asker.isTold('Zoe was paid 8100 USD.');
    await asker.page.getByText('Approved by Ben for Ada').waitFor();

    await revoke(page, 'Ben');
    expect(await item.count()).toBe(0);
    await asker.say('Pay Zoe 8200');
    await asker.isAsked('Pay Zoe 8200 USD.');
    const rows = inbox.page.getByRole('button', { name: 'Pay Zoe 8200 USD.' });
    const seen = await inbox.page.request.get(new URL('/api/approvals', inboxUrl).href);
    expect(JSON.stringify(await seen.json())).not.toContain('Pay Zoe 8200');
    expect(await rows.count()).toBe(0);
    await asker.stop.click();
  });

  it('cannot be given without a person, and say so', async ({ open }) => {
    const { page } = await open({ as: ada, url: delegationsUrl });
    await page.getByRole('button', { name: 'Delegate' }).click();
    await page.getByText('Choose a person.', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: /^To/ }).fill('nobody here');
    await page.getByText('Nobody was found.').waitFor();
  });

  it.for(everyViewOfThisRun)(
    'have no violation that axe finds and do not scroll sideways: $name',
    async (view, { open }) => {
      const person = await open({ ...view, as: ada, url: delegationsUrl });
      await endAll(person);
      const { page } = person;
      await page.getByRole('heading', { name: 'Nobody answers for you' }).waitFor();
      await isSound(person, 'empty');
      await page.getByRole('searchbox', { name: /^To/ }).fill('be');
      const found = page.getByRole('list', { name: 'People found' }).getByRole('button', { name: 'Ben' });
      await found.waitFor();
      await isSound(person, 'people found');
      await found.click();
      await page.getByLabel(/^Note/).fill('A note without any space to break it at: '.padEnd(200, 'x'));
      await page.getByRole('button', { name: 'Delegate' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Ben answers for you' }).waitFor();
      await isSound(person, 'a delegation');
      await endAll(person);
    },
  );
});
