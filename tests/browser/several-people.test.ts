import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { actAs } from './support/act-as.ts';
import { it } from './support/browser-test.ts';
import { delegate, revoke } from './support/delegate.ts';
import { isSound } from './support/is-sound.ts';
import { eventually, modesOfThisRun, type Person } from './support/person.ts';

/** Selects a question in the inbox that is open. @returns its card */
async function cardIn({ page, question }: Person, sentence: string) {
  const row = page.getByRole('button', { name: sentence }).and(page.locator('[aria-expanded]'));
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
  return question.filter({ hasText: sentence });
}

/** Opens the inbox of Ada, on a page of her own, with the question selected. @returns the card */
async function adasCard(ada: Person, sentence: string) {
  await actAs(ada, 'Ada (manager)');
  await ada.page.getByRole('link', { name: /^Inbox/ }).click();
  return cardIn(ada, sentence);
}

async function approveIn(card: Locator): Promise<void> {
  const approve = card.getByRole('button', { name: 'Approve' });
  await eventually(() => approve.getAttribute('aria-disabled')).toBe('false');
  await approve.click();
}

/** Opens a page of a person of the demo, who has just signed in. */
async function openAs(open: () => Promise<Person>, login: { readonly name: string; readonly role?: string }) {
  const person = await open();
  await person.page.request.post(new URL('/api/session', person.page.url()).href, { data: login });
  await person.page.goto(new URL('/inbox', person.page.url()).href);
  return person;
}

describe.each(modesOfThisRun('SSE'))('a call that two people must approve, over $mode', ({ mode }) => {
  const version = mode === 'SSE' ? '2.1' : '2.2';
  const sentence = `Release version ${version} to production.`;

  it('waits for the second person, who approves in the inbox, and then runs once', async ({ open }) => {
    const ben = await open({ colorScheme: 'dark' });
    await actAs(ben, 'Ben');
    await ben.choose(mode);
    await ben.say(`Release version ${version}`);
    await ben.isAsked(sentence);
    await ben.page.setViewportSize(viewports.narrow);
    await ben.question.getByText('0 of 2 approvals.').waitFor();
    await ben.mayAnswer();
    await isSound(ben, 'a question without votes, dark and narrow');
    await ben.approve('tested since Monday');
    await ben.question.getByText('You approved. Waiting for 1 more approval.').waitFor();
    expect(await ben.approveButton.count()).toBe(0);
    expect(await ben.denyButton.count()).toBe(0);
    await isSound(ben, 'a question with one vote, dark and narrow');

    const ada = await open();
    const card = await adasCard(ada, sentence);
    await card.getByText('1 of 2 approvals: Ben approved.').waitFor();
    await isSound(ada, 'inbox with one vote');
    await approveIn(card);
    // A second execution would be in this sentence.
    await ben.isTold(`Version ${version} was released.`);
    expect(await ben.question.count()).toBe(0);

    await ben.page.reload();
    await ben.isTold(`Version ${version} was released.`);
    const call = ben.call('release_version');
    await call.locator('summary').first().click();
    await eventually(() => call.innerText()).toContain('Approved by Ada');
    await isSound(ben, 'a call that two people approved, dark and narrow');
  });

  it('does not run if the second person denies it', async ({ open }) => {
    const person = await open();
    await person.choose(mode);
    await person.say(`Release version ${version}.9`);
    await person.isAsked(`Release version ${version}.9 to production.`);
    await person.mayAnswer();
    await person.approve();
    await person.question.getByText('You approved. Waiting for 1 more approval.').waitFor();

    const card = await adasCard(await open(), `Release version ${version}.9 to production.`);
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

    const ada = await openAs(open, { name: 'Ada', role: 'manager' });
    await ada.page.getByRole('link', { name: 'Delegations' }).click();
    await delegate(ada.page, { to: 'Ben', tool: 'Release version' });
    const ben = await openAs(open, { name: 'Ben' });
    const byBen = await cardIn(ben, asked);
    await ben.page.getByText('You answer for Ada.').waitFor();
    await approveIn(byBen);
    const others = ben.page.getByRole('region', { name: 'Waiting for someone else' });
    await others.getByText('1 of 2 approvals: you for Ada approved.').waitFor();
    await revoke(ada.page, 'Ben');
    // The chat that is open elsewhere changes by itself.
    await said('1 of 2 approvals: Ben for Ada approved.');
    await said(/^Escalated to directors at /);
    await asker.mayAnswer();
    await isSound(asker, 'a question with the vote of a delegate, escalated');

    const dana = await openAs(open, { name: 'Dana', role: 'director' });
    await approveIn(await cardIn(dana, asked));
    await asker.isTold(`Version ${version}.7 was released.`);
    expect(await asker.question.count()).toBe(0);
  });
});
