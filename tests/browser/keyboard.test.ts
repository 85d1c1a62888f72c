// depends on: app/chats app/inbox lib/react/card lib/react/keys lib/client/card/approval-keys.ts
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { hasFocus, tabTo } from './support/keyboard.ts';
import { eventually, modesOfThisRun, type Person } from './support/person.ts';

describe.each(modesOfThisRun('BIDI'))('the whole job by keyboard alone over $mode', ({ mode }) => {
  it('answers "Search and update database" by shortcut; each new question gets the focus', async ({
    open,
  }) => {
    const person = await open();
    await begin(person, mode, 'Search and update database');
    await person.isAsked('from the demo database.');
    await hasFocus(person.question);
    await person.mayAnswer();
    await person.page.keyboard.press('Control+Enter');

    await person.isAsked('to "reviewed"');
    await hasFocus(person.question);
    await person.mayAnswer();
    await person.page.keyboard.press('Control+.');
    await person.isTold('The database was not updated: the update was denied.');
    expect(await person.call('search_database').innerText()).toContain('Done');
  });

  it('answers "Pay Alice 30 and Bob 40" by Tab, a written reason, Enter and Space', async ({
    open,
    paid,
  }) => {
    const person = await open();
    await begin(person, mode, 'Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await hasFocus(person.question);
    await tabTo(person, person.question.getByText('Add a reason'));
    await person.page.keyboard.press('Enter');
    await hasFocus(person.reason);
    await person.page.keyboard.type('she has no account');
    await tabTo(person, person.denyButton);
    await person.mayAnswer();
    await person.page.keyboard.press('Enter');

    await person.isAsked('Pay Bob 40 USD.');
    await hasFocus(person.question);
    await person.page.reload();
    await person.isAsked('Pay Bob 40 USD.');
    await hasFocus(person.question);
    await tabTo(person, person.approveButton);
    await person.mayAnswer();
    await person.page.keyboard.press('Space');
    await person.isTold(
      'Alice was not paid 30 USD: the payment was denied (she has no account). Bob was paid 40 USD.',
    );
    expect(await paid()).toEqual(['Bob 40']);
  });
});

describe('the focus', () => {
  it('leaves the focus with a user who is typing, and announces the question', async ({ open }) => {
    const person = await open();
    await person.say('Search and update database');
    await person.isAsked('from the demo database.');
    await person.unfold();
    await person.message.fill('one more');
    await person.mayAnswer();
    const [id = ''] = await person.server.openQuestions();
    expect(await person.server.answer(id, true)).toBe(200);

    await person.isAsked('to "reviewed"');
    await eventually(() => person.page.getByRole('status').locator('p').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Approval needed.*Update database: .*medium risk$/),
    );
    await hasFocus(person.message);
    await person.page.keyboard.type(' thing');
    expect(await person.message.inputValue()).toBe('one more thing');
  });

  it('moves by Tab from the question through its details to the reason, Deny and Approve', async ({
    open,
  }) => {
    const person = await open();
    await person.say('Search and update database');
    await person.isAsked('from the demo database.');
    await person.question.focus();
    const stops: string[] = [];
    while (stops.length < 8 && stops.at(-1) !== 'Approve') {
      await person.page.keyboard.press('Tab');
      stops.push(await nameOfFocus(person));
    }
    expect(stops).toEqual(['Show JSON', 'Edit', 'Add a reason', 'Remember this approval', 'Deny', 'Approve']);
  });

  it("skips to the chat by the first link, and Escape returns the focus from a phone's drawer", async ({
    open,
  }) => {
    const person = await open({ viewport: { width: 390, height: 844 } });
    const { page } = person;
    await tabTo(person, page.getByRole('link', { name: 'Skip to content' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await hasFocus(page.locator('#page'));

    const menu = page.getByRole('button', { name: 'Chat list', exact: true });
    await tabTo(person, menu);
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('link', { name: 'New chat' }));
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Escape');
    await hasFocus(menu);
    expect(await menu.getAttribute('aria-expanded')).not.toBe('true');
  });
});

/** Selects the transport and sends a message, without a mouse. The field of the start page has the focus. */
async function begin(person: Person, mode: string, text: string): Promise<void> {
  await hasFocus(person.message);
  const chosen = person.page.getByRole('radio', { checked: true });
  const settings = person.page.getByRole('button', { name: 'Settings' });
  await tabTo(person, settings, 'Shift+Tab');
  await person.page.keyboard.press('Enter');
  await tabTo(person, chosen);
  if (mode === 'BIDI') await person.page.keyboard.press('ArrowRight');
  await hasFocus(person.page.getByRole('radio', { name: mode, checked: true }));
  await person.page.keyboard.press('Escape');
  await hasFocus(settings);
  await tabTo(person, person.message);
  await person.page.keyboard.type(text);
  await person.page.keyboard.press('Enter');
}

function nameOfFocus({ page }: Person): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const words = [...(focused?.childNodes ?? [])].find(({ textContent }) => textContent !== '');
    return focused?.getAttribute('aria-label') ?? words?.textContent ?? '';
  });
}
