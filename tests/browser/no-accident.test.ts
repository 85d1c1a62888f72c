// depends on: app/chats lib/react/card lib/react/styles lib/client/calls lib/client/sheet lib/plugins/forms lib/react/keys
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { modesOfThisRun, type Person } from './support/person.ts';
import { watchTraffic } from './support/traffic.ts';

/** Keys that are not meant as an answer, and where they are pressed. */
const strayKeys: readonly { keys: string; where: 'message' | 'reason' | 'question' }[] = [
  { keys: 'Enter', where: 'message' },
  { keys: 'Control+Enter', where: 'message' },
  { keys: 'Control+.', where: 'message' },
  { keys: 'Enter', where: 'reason' },
  { keys: 'Space', where: 'reason' },
  { keys: 'Enter', where: 'question' },
  { keys: 'Space', where: 'question' },
  { keys: 'Escape', where: 'question' },
  { keys: 'Control+Shift+Enter', where: 'question' },
];

describe('no accidental answer', () => {
  it('comes from a key in the message, in the reason or on the card', async ({ open, paid }) => {
    const person = await askedAboutAlice(await open());
    await person.openReason();
    await person.unfold();
    const traffic = watchTraffic(person.page);
    for (const { keys, where } of strayKeys) {
      await person[where].focus();
      await person.page.keyboard.press(keys);
    }
    expect(await person.server.openQuestions()).toHaveLength(1);
    expect(await person.question.innerText()).toContain('Pay Alice 30 USD.');
    expect(traffic.sent).toEqual([]);
    expect(await paid()).toEqual([]);
  });

  it('comes from a held key: it approves one question, not the next', async ({ open, paid }) => {
    const person = await askedAboutAlice(await open());
    await person.question.focus();
    await person.page.keyboard.down('Control');
    await person.page.keyboard.down('Enter');
    await person.isAsked('Pay Bob 40 USD.');
    await person.mayAnswer();
    await person.page.keyboard.down('Enter');
    await person.page.keyboard.up('Enter');
    await person.page.keyboard.up('Control');
    expect(await person.server.openQuestions()).toHaveLength(1);
    await person.deny();
    await person.isTold('Bob was not paid 40 USD: the payment was denied.');
    expect(await paid()).toEqual(['Alice 30']);
  });

  it('comes from text that was being typed when the question appeared', async ({ open }) => {
    const person = await open();
    const typing = Promise.withResolvers<void>();
    await person.page.route(/\/api\/chat$/, async (route) => {
      await typing.promise;
      await route.continue();
    });
    await person.page.getByRole('button', { name: /^Pay Alice/ }).click();
    await person.page.getByRole('article', { name: 'You' }).waitFor();
    await person.message.pressSequentially('and ');
    typing.resolve();
    await person.page.keyboard.type('then ');
    await person.isAsked('Pay Alice 30 USD.');
    await person.page.keyboard.type('what?');
    expect(await person.server.openQuestions()).toHaveLength(1);
    expect(await person.message.inputValue()).toBe('and then what?');
  });
});

describe.each(modesOfThisRun('SSE'))('a double click on Approve over $mode', ({ mode }) => {
  it('sends one answer, runs one call and leaves the next question open', async ({ open, paid }) => {
    const person = await open();
    const traffic = watchTraffic(person.page);
    await person.choose(mode);
    await askedAboutAlice(person);
    await person.approveButton.dblclick();
    await person.isAsked('Pay Bob 40 USD.');
    await person.mayAnswer();
    expect(traffic.answers()).toHaveLength(1);
    expect(await person.server.openQuestions()).toHaveLength(1);
    await person.approveButton.dblclick();
    await person.isTold('Alice was paid 30 USD. Bob was paid 40 USD.');
    expect(traffic.answers()).toHaveLength(2);
    expect(await paid()).toEqual(['Alice 30', 'Bob 40']);
  });
});

async function askedAboutAlice(person: Person): Promise<Person> {
  await person.say('Pay Alice 30 and Bob 40');
  await person.isAsked('Pay Alice 30 USD.');
  await person.mayAnswer();
  return person;
}
