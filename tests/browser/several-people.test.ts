// depends on: app/chats app/inbox lib/react/card lib/rights lib/commands/answer
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { delegate, revoke } from './support/delegate.ts';
import { isSound } from './support/is-sound.ts';
import { ada, ben, dana } from './support/people.ts';
import { eventually, modesOfThisRun, type Person } from './support/person.ts';

const inboxUrl = new URL('/inbox', appUrlOfWorker()).href;

/** Selects a question in the inbox that is open. @returns its card */
async function cardIn({ page, question }: Person, sentence: string) {
  const row = page.getByRole('button', { name: sentence }).and(page.locator('[aria-expanded]'));
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
  return question.filter({ hasText: sentence });
}

async function approveIn(card: Locator): Promise<void> {
  const approve = card.getByRole('button', { name: 'Approve' });
  await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');
  await approve.click();
}

describe.each(modesOfThisRun('SSE'))('a call that two people must approve, over $mode', ({ mode }) => {
  const version = mode === 'SSE' ? '2.1' : '2.2';
  const sentence = `Release version ${version} to production.`;

  it('waits for the second person, who approves in the inbox, and then runs once', async ({ open }) => {
    const asker = await open({ as: ben, colorScheme: 'dark' });
    await asker.choose(mode);
    await asker.say(`Release version ${version}`);
    await asker.isAsked(sentence);
    await asker.page.setViewportSize(viewports.narrow);
    await asker.question.getByText('0 of 2 approvals.').waitFor();
    await asker.mayAnswer();
    await isSound(asker, 'a question without votes, dark and narrow');
    await asker.approve('tested since Monday');
    await asker.question.getByText('You approved. Waiting for 1 more approval.').waitFor();
    expect(await asker.approveButton.count()).toBe(0);
    expect(await asker.denyButton.count()).toBe(0);
    await isSound(asker, 'a question with one vote, dark and narrow');

    const manager = await open({ as: ada, url: inboxUrl });
    const card = await cardIn(manager, sentence);
    await card.getByText('1 of 2 approvals: Ben approved.').waitFor();
    await isSound(manager, 'inbox with one vote');
    await approveIn(card);
    // A second execution would be in this sentence.
    await asker.isTold(`Version ${version} was released.`);
    expect(await asker.question.count()).toBe(0);

    await asker.page.reload();
    await asker.isTold(`Version ${version} was released.`);
    const call = asker.call('release_version');
    await call.locator('summary').first().click();
    await eventually(() => call.innerText()).toContain('Approved by Ada');
    await isSound(asker, 'a call that two people approved, dark and narrow');
  });

  it('does not run if the second person denies it', async ({ open }) => {
    const person = await open();
    await person.choose(mode);
    await person.say(`Release version ${version}.9`);
    await person.isAsked(`Release version ${version}.9 to production.`);
    await person.mayAnswer();
    await person.approve();
    await person.question.getByText('You approved. Waiting for 1 more approval.').waitFor();

    const manager = await open({ as: ada, url: inboxUrl });
    const card = await cardIn(manager, `Release version ${version}.9 to production.`);
    await card.getByText('Add a reason').click();
    await card.getByRole('textbox', { name: 'Reason' }).fill('not on a Friday');
    const deny = card.getByRole('button', { name: 'Deny' });
    await eventually(() => deny.getAttribute('aria-disabled')).toBe('false');
    await deny.click();
    await person.isTold(`Version ${version}.9 was not released: the call was denied (not on a Friday).`);
  });

  it('is approved by a delegate and, after the escalation, by a director, while the asker looks on', async ({
    open,
  }) => {
    const asked = `Release version ${version}.7 to production.`;
    const asker = await open();
    await asker.choose(mode);
    await asker.say(`Release version ${version}.7`);
    await asker.isAsked(asked);
    const said = (text: string | RegExp) => asker.question.getByText(text).waitFor();

    const manager = await open({ as: ada, url: inboxUrl.replace('inbox', 'delegations') });
    await delegate(manager.page, { to: 'Ben', tool: 'Release version' });
    const delegatee = await open({ as: ben, url: inboxUrl });
    const byBen = await cardIn(delegatee, asked);
    await delegatee.page.getByText('You answer for Ada.').waitFor();
    await approveIn(byBen);
    const others = delegatee.page.getByRole('region', { name: 'Waiting for someone else' });
    await others.getByText('1 of 2 approvals: you for Ada approved.').waitFor();
    await revoke(manager.page, 'Ben');
    // The chat that is open elsewhere changes by itself.
    await said('1 of 2 approvals: Ben for Ada approved.');
    await said(/^Escalated to directors at /);
    await asker.mayAnswer();
    await isSound(asker, 'a question with the vote of a delegate, escalated');

    const director = await open({ as: dana, url: inboxUrl });
    await approveIn(await cardIn(director, asked));
    await asker.isTold(`Version ${version}.7 was released.`);
    expect(await asker.question.count()).toBe(0);
  });
});
