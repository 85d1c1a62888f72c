// depends on: app/sessions app/_identity lib/server/routes lib/server/identity
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';
import { eventually, type Person } from './support/person.ts';

const statusOf = ({ page }: Person) => page.evaluate(async () => (await fetch('/api/chat')).status);

describe('the sessions of a user', () => {
  it('are listed with the current one marked, and ended by keyboard; the other browser is signed out', async ({
    open,
  }) => {
    const there = await open({ expected: /401/ });
    expect(await statusOf(there)).toBe(200);
    const here = await open({ url: new URL('/sessions', appUrlOfWorker()).href });
    const rows = here.page.getByRole('main').getByRole('listitem');
    await here.page.getByText('This session').waitFor();
    expect(await violationsOf(here.page)).toEqual([]);
    expect(await rows.count()).toBe(2);
    const end = here.page.getByRole('button', { name: /^End session/ });
    expect(await rows.filter({ has: end }).innerText()).toContain('Active in the last 10 minutes');
    await end.focus();
    await here.page.keyboard.press('Enter');
    await here.page.getByText('The session has ended.').waitFor();
    await eventually(() => rows.count()).toBe(1);
    expect(await here.page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
    expect([await statusOf(there), await statusOf(here)]).toEqual([401, 200]);
  });
});

describe('a tool that needs a recent sign-in', () => {
  it('asks the local user for one, and accepts no answer before', async ({ open }) => {
    const person = await open({ as: null });
    await person.say('Rotate the API key');
    await person.question.getByText('Sign in again to answer this request').waitFor();
    expect(await person.approveButton.getAttribute('aria-disabled')).toBe('true');
    expect(await person.denyButton.getAttribute('aria-disabled')).toBe('true');
    expect(await violationsOf(person.page)).toEqual([]);
    // A new message withdraws the question without a sign-in.
    await person.say('multiply 5 and 4');
    await person.page.getByText('5 times 4 is 20.').waitFor();
  });

  it('accepts the answer of a user who has just signed in', async ({ open }) => {
    const person = await open();
    await person.say('Rotate the API key');
    await person.isAsked('Replace the API key of the demo service with a new one.');
    await person.approve();
    await person.page.getByText('The API key was replaced.').waitFor();
  });
});
