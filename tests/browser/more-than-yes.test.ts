// depends on: app/chats lib/react/card lib/react/styles lib/client/calls lib/client/sheet lib/plugins/forms
import { describe, expect } from 'vitest';
import { viewports } from './launch.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { tabTo } from './support/keyboard.ts';
import { eventually, modesOfThisRun } from './support/person.ts';

describe.each(modesOfThisRun('SSE'))('a question that asks for more than yes, over $mode', ({ mode }) => {
  it('is answered with an option by keyboard alone, and the option runs what it shows', async ({ open }) => {
    const person = await open({ viewport: viewports.narrow, colorScheme: 'dark' });
    await person.choose(mode);
    await person.say('Refund order 1007');
    await person.isAsked('Refund 250 USD of order 1007.');
    const options = person.question.getByRole('region', { name: 'What each option does' });
    await eventually(() => options.innerText()).toMatch(
      /Approve up to 100 USD: Refund 100 USD of order 1007\.[\s\S]*250\s+becomes\s+100/,
    );
    const option = person.question.getByRole('button', { name: 'Approve up to 100 USD' });
    await eventually(() => option.getAttribute('aria-disabled')).toBe('false');
    await isSound(person, 'options, dark and narrow');

    expect(await person.question.getByRole('button').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Deny'), 'Approve up to 100 USD']),
    );
    await tabTo(person, option);
    await person.page.keyboard.press('Enter');
    await person.isTold('Order 1007: 100 USD were refunded.');

    await person.page.reload();
    const call = person.call('refund_order');
    await call.locator('summary').first().click();
    await eventually(() => call.innerText()).toMatch(/Amount\s+was\s+250\s+becomes\s+100/);
    await isSound(person, 'a call with an option, dark and narrow');
  });

  it('is answered with a form, whose values the model gets', async ({ open }) => {
    const person = await open({ viewport: viewports.narrow });
    await person.choose(mode);
    await person.say('Plan my trip');
    await person.isAsked('When does your trip begin, and for how many nights?');
    await person.question.getByText('Your answer is needed').waitFor();
    const send = person.question.getByRole('button', { name: 'Send answer' });
    const nights = person.question.getByLabel('Nights');
    await nights.waitFor();
    await eventually(() => send.getAttribute('aria-disabled')).toBe('false');
    await isSound(person, 'a form, narrow');

    await person.question.getByLabel('From').fill('2026-12-01');
    await nights.fill('0');
    await send.click();
    await person.question.getByRole('link', { name: /^Nights: / }).waitFor();
    await isSound(person, 'a form with a problem, narrow');
    await nights.fill('3');
    await send.click();
    await person.isTold('Your trip begins on 2026-12-01 and lasts 3 nights.');
    await person.page.reload();
    await person.isTold('Your trip begins on 2026-12-01 and lasts 3 nights.');
  });
});
