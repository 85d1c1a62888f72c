import type { Page } from 'playwright-core';
import { delegate } from '../../tests/browser/support/delegate.ts';
import { signIn } from './studio.ts';
import type { Walk } from './walk.ts';

/** Questions that several people answer, that ask for more than yes, and that are answered away from the chat. */
export const peopleAndLinks: readonly Walk[] = [
  {
    page: 'Several people',
    async walk({ url, open }, take) {
      const ben = await open();
      await signIn(ben, url, { name: 'Ben' });
      await ben.page.reload();
      await ben.say('Release version 2.1');
      await ben.isAsked('Release version 2.1 to production.');
      await ben.question.getByText('0 of 2 approvals.').waitFor();
      await take(ben, 'without votes');
      await ben.approve('tested since Monday');
      await ben.question.getByText('You approved. Waiting for 1 more approval.').waitFor();
      await take(ben, 'own vote');

      const ada = await open();
      await signIn(ada, url, { name: 'Ada', role: 'manager' });
      await ada.page.goto(`${url}/inbox`);
      await ada.page.getByRole('button', { name: 'Release version 2.1' }).first().click();
      await ada.question.getByText('1 of 2 approvals: Ben approved.').waitFor();
      await take(ada, 'vote of another in the inbox');

      await ada.page.getByRole('link', { name: 'Delegations' }).click();
      await delegate(ada.page, { to: 'Ben', tool: 'Release version', note: 'On leave' });
      await take(ada, 'a delegation');
    },
  },
  {
    page: 'More than yes',
    async walk({ open }, take) {
      const person = await open();
      await person.say('Refund order 1007');
      await person.question.getByRole('button', { name: 'Approve up to 100 USD' }).waitFor();
      await take(person, 'options');
      const other = await open();
      await other.say('Plan my trip');
      await other.question.getByLabel('Nights').waitFor();
      await take(other, 'a form as the answer');
    },
  },
  {
    page: 'Answer by link',
    async walk({ url, open }, take) {
      const asker = await open();
      await asker.say('Pay Jon 30');
      await asker.isAsked('Pay Jon 30 USD.');
      const person = await open({}, await linkTo(asker.page, url));
      const { page } = person;
      await page.getByRole('button', { name: /^Approve/ }).waitFor();
      await take(person, 'question');
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.getByRole('button', { name: /^Confirm/ }).waitFor();
      await take(person, 'second step');
      await page.getByRole('button', { name: /^Confirm/ }).click();
      await page.getByText('Approved by Local user').waitFor();
      await take(person, 'answered');
    },
  },
  {
    page: 'Operations',
    async walk({ url, open }, take) {
      const person = await open();
      const { page } = person;
      await signIn(person, url, { name: 'Otto', role: 'manager' });
      await page.goto(`${url}/operations`);
      const insights = page.getByRole('region', { name: 'Insights' });
      await insights.getByRole('img', { name: /^Requests by hour/ }).waitFor();
      const rehearsal = page.getByRole('region', { name: 'Rehearse a policy' });
      await rehearsal.getByLabel('Policy').selectOption('Small payments run without a question');
      await rehearsal.getByRole('button', { name: 'Rehearse' }).click();
      await rehearsal.getByRole('table').waitFor();
      await take(person, 'insights and a rehearsal', 2400);
    },
  },
];

/** A link to the question that a chat shows. */
async function linkTo(page: Page, url: string): Promise<string> {
  const approvalId = await page.locator('[data-question]').first().getAttribute('data-question');
  const made = await page.request.post(`${url}/api/demo/answer-links`, {
    data: { approvalId },
    headers: { origin: url },
  });
  const link: { url: string } = await made.json();
  return link.url;
}
