import { layLine } from '../../tests/browser/support/breakable-line.ts';
import { peopleAndLinks } from './people-and-links.ts';
import { signIn } from './studio.ts';
import type { Walk } from './walk.ts';

/** All pages. The first walks need a server without questions, and the later ones take what these left open. */
export const walks: readonly Walk[] = [
  {
    page: 'Inbox',
    async walk({ url, open }, take) {
      const person = await open({}, `${url}/inbox`);
      await person.page.getByText("You're all caught up").waitFor();
      await take(person, 'empty');
    },
  },
  {
    page: 'Chat',
    async walk({ open }, take) {
      const person = await open();
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      await take(person, 'empty');
      await person.openSettings();
      await take(person, 'settings');
      await person.page.keyboard.press('Escape');
      await person.say('Pay Alice 30 and Bob 40');
      await person.isAsked('Pay Alice 30 USD.');
      await take(person, 'question');
      await person.question.getByRole('button', { name: 'Edit' }).click();
      await person.question.getByLabel('Amount').waitFor();
      await take(person, 'question with edit form');
      await person.question.getByLabel('Amount').fill('0');
      await person.question.getByRole('button', { name: 'Approve' }).click();
      await person.question.getByText('More than 0.', { exact: true }).waitFor();
      await take(person, 'problem in the form');
      await person.question.getByLabel('Amount').fill('30');
      await person.question.getByRole('button', { name: 'Approve' }).click();
      await person.isAsked('Pay Bob 40 USD.');
      await person.approve();
      await person.regenerate.waitFor();
      await take(person, 'done');

      const other = await open();
      await other.say('Pay Carol 30');
      await other.isAsked('Pay Carol 30 USD.');
      await other.deny('Not this month');
      await other.regenerate.waitFor();
      await take(other, 'denied');
      await other.say('call the broken service');
      await other.call('broken_service').waitFor();
      await other.regenerate.waitFor();
      await take(other, 'failed');
    },
  },
  {
    page: 'Chat over a slow line',
    async walk({ url, open }, take) {
      const line = await layLine(url);
      try {
        const person = await open({}, line.url);
        await person.say('Pay Dora 30');
        await person.isAsked('Pay Dora 30 USD.');
        line.hold('requests');
        await person.approve();
        await person.page.getByText('Sending your answer').waitFor();
        await take(person, 'sending');
        line.letGo();
        await person.regenerate.waitFor();

        await person.say('call the flaky service');
        await person.page.locator('[data-tool="flaky_service"][data-busy="true"]').waitFor();
        line.hold('replies');
        await take(person, 'running');
        line.letGo();
        await person.regenerate.waitFor();

        line.cut();
        await person.say('multiply 5 and 4');
        await person.banner.waitFor();
        await person.isCutOff();
        await take(person, 'connection lost');
      } finally {
        await line.close();
      }
    },
  },
  {
    page: 'Inbox',
    async walk({ url, open }, take) {
      for (const name of ['Emil', 'Fay', 'Gus']) {
        const asking = await open();
        await asking.say(`Pay ${name} 30`);
        await asking.isAsked(`Pay ${name} 30 USD.`);
        await asking.page.context().close();
      }
      const person = await open({}, `${url}/inbox`);
      const { page } = person;
      await page.getByRole('checkbox', { name: 'Select all' }).waitFor();
      await take(person, 'with rows');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: /^Review/ }).click();
      await page.getByRole('radio', { name: 'Deny' }).first().check();
      await take(person, 'review of several');

      await page.goto(`${url}/inbox`);
      await page.getByText('Pay Emil 30 USD.').first().click();
      await page.getByRole('link', { name: 'Open as a page' }).click();
      await page.waitForURL(/\/inbox\/./);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await take(person, 'decision sheet', 1200);
    },
  },
  {
    page: 'Timeline',
    async walk({ open }, take) {
      const person = await open();
      await person.say('Search and update database');
      await person.isAsked('from the demo database.');
      await person.approve();
      await person.isAsked('to "reviewed"');
      await person.approve();
      await person.regenerate.waitFor();
      await person.page.getByRole('link', { name: 'Timeline' }).click();
      await person.page.getByText('Median wait').waitFor();
      await take(person, 'of two questions');
    },
  },
  {
    page: 'Remembered',
    async walk({ url, open }, take) {
      const person = await open({}, `${url}/remembered`);
      await person.page.getByText('No remembered approvals').waitFor();
      await take(person, 'empty');
      await person.page.goto(url);
      await person.say('Search and update database');
      await person.isAsked('from the demo database.');
      await person.question.getByText('Remember this approval').click();
      await person.question.getByRole('radio', { name: 'This chat' }).check();
      await person.question.getByRole('button', { name: 'Approve and remember' }).click();
      await person.isAsked('to "reviewed"');
      await person.deny();
      await person.regenerate.waitFor();
      await person.page.goto(`${url}/remembered`);
      await person.page
        .getByRole('button', { name: /^Revoke/ })
        .first()
        .waitFor();
      await take(person, 'with an approval');
    },
  },
  {
    page: 'Sessions',
    async walk({ url, open }, take) {
      const person = await open();
      await signIn(person, url, { name: 'Ada', role: 'manager' });
      await person.page.goto(`${url}/sessions`);
      await person.page.getByText('This session').waitFor();
      await take(person, 'signed in');
    },
  },
  {
    page: 'Dialects',
    async walk({ url, open }, take) {
      const person = await open({}, `${url}/dialects`);
      const { page } = person;
      const columns = (phase: string) => page.locator(`[data-wire][data-phase="${phase}"]`);
      await columns('idle').nth(4).waitFor();
      await take(person, 'empty', 1200);
      await page.getByRole('textbox', { name: 'Message for all wires' }).fill('Pay Hans 30');
      await page.keyboard.press('Enter');
      await columns('waiting').nth(4).waitFor();
      await take(person, 'five questions', 1800);
      await columns('waiting').getByRole('button', { name: 'Deny' }).first().click();
      await columns('done').first().waitFor();
      await take(person, 'one answered', 1800);
    },
  },
  {
    page: 'Tool events',
    async walk({ url, open }, take) {
      const person = await open({}, `${url}/dialects/tool-events`);
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      await take(person, 'empty');
      await person.say('Pay Ines 30');
      await person.isAsked('Ines');
      await take(person, 'question');
    },
  },
  ...peopleAndLinks,
  {
    page: 'Other pages',
    async walk({ url, open }, take) {
      const person = await open({}, `${url}/nowhere`);
      const { page } = person;
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      await take(person, '404');
      await page.goto(`${url}/docs`);
      await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
      await take(person, 'documentation');
      await page.goto(url);
      await page.getByRole('heading', { level: 2 }).waitFor();
      // The code of the next page cannot be loaded.
      await page.route('**/_next/static/chunks/**', (route) => route.abort());
      await page.getByRole('link', { name: 'Dialects' }).click();
      await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
      await take(person, 'error');
    },
  },
];
