// depends on: app lib/react lib/client
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { tabTo } from './support/keyboard.ts';
import { viewsOfThisRun } from './support/views.ts';

describe('every state of the page', () => {
  it.for(viewsOfThisRun)(
    'has no violation that axe finds and does not scroll sideways: $name',
    async (view, { line, open }) => {
      const person = await open({ ...view, url: line.url, expected: /net::ERR_/ });
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      await isSound(person, 'empty');
      await person.openSettings();
      await isSound(person, 'settings');
      await person.page.keyboard.press('Escape');

      await person.say('Search and update database');
      await person.isAsked('from the demo database.');
      await person.question.getByText('Show JSON').click();
      await isSound(person, 'question');

      await person.approve('I know this one');
      await person.isAsked('to "reviewed"');
      await isSound(person, 'second question');

      await person.deny('A reason of some length, so that the line which settles it has to break somewhere.');
      await person.isTold('The database was not updated');
      await person.call('search_database').locator('summary').first().click();
      await isSound(person, 'final');

      line.cut();
      await person.say('multiply 5 and 4');
      await person.banner.waitFor();
      await isSound(person, 'error');
    },
  );

  it('has no violation with the drawer, the editor or the dialog open on a phone', async ({ open }) => {
    const person = await open({ viewport: viewports.narrow });
    const { page } = person;
    await person.say('Pay Alice 30');
    await person.isAsked('Pay Alice 30 USD.');
    await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Edit' }).click();
    await isSound(person, 'editor');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Chat list', exact: true }).click();
    await page.getByRole('link', { name: 'New chat' }).waitFor();
    await isSound(person, 'drawer');
    await page.getByRole('button', { name: 'Delete “Pay Alice 30”' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await isSound(person, 'dialog');
  });
});

describe('the system’s preferences', () => {
  it('with reduced motion nothing moves for longer than a frame', async ({ open }) => {
    const person = await open({ reducedMotion: 'reduce' });
    await person.say('Search and update database');
    await person.isAsked('from the demo database.');
    await person.approve();
    await person.isAsked('to "reviewed"');
    const longest = await person.page.evaluate(() =>
      Math.max(0, ...document.getAnimations().map(({ effect }) => Number(effect?.getTiming().duration))),
    );
    expect(longest).toBeLessThanOrEqual(1);
  });

  it('with forced colors the question, its buttons and the focus remain distinguishable', async ({
    open,
  }) => {
    const person = await open({ forcedColors: 'active' });
    await person.say('Search and update database');
    await person.isAsked('from the demo database.');
    expect(await person.page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    for (const button of [person.denyButton, person.approveButton]) {
      expect(await button.evaluate((element) => getComputedStyle(element).borderTopWidth)).not.toBe('0px');
    }
    await person.openReason();
    await person.reason.focus();
    await tabTo(person, person.denyButton);
    const ring = await person.denyButton.evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(ring).toBe('solid');
    await isSound(person, 'question in forced colors');
  });
});
