// depends on: app/chats lib/react/card lib/react/styles lib/client/calls lib/client/sheet lib/plugins/forms
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { viewports } from './launch.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { hasFocus, tabTo } from './support/keyboard.ts';
import { eventually, modesOfThisRun, type Person } from './support/person.ts';

/**
 * Both transports, both colour schemes, both ends of the widths: each with each other's at least once, of which the last is in
 * `npm test`. The keyboard is tested on the desktop, in `npm test` over SSE.
 */
const cells = [
  { mode: 'SSE', colorScheme: 'light', width: 'desktop' },
  { mode: 'SSE', colorScheme: 'dark', width: 'narrow' },
  { mode: 'BIDI', colorScheme: 'dark', width: 'desktop' },
  { mode: 'BIDI', colorScheme: 'light', width: 'narrow' },
] as const;

/** The minimum size of a touch target, in CSS pixels. */
const touchTarget = 44;

describe.each(rowsOfThisRun(cells, (_, index) => index === 3))(
  'the card over $mode, $colorScheme, $width',
  ({ mode, colorScheme, width }) => {
    const view = { colorScheme, viewport: viewports[width] };

    it('approves edited arguments: the changes that it shows are what runs and what is recorded; a refusal of the server keeps every edit', async ({
      open,
      paid,
    }) => {
      const person = await asked(
        await open({ ...view, expected: /status of 400/ }),
        mode,
        'Pay Alice 30',
        'Pay Alice 30 USD.',
      );
      await edit(person);
      await isTouchable(person, 'form');
      await person.question.getByLabel('Amount').fill('0');
      // The form cannot know that the tool trims the name before it looks at its length.
      await person.question.getByLabel('Recipient').fill(' ');
      await person.openReason();
      await person.reason.fill('as agreed');
      await person.question.getByRole('button', { name: 'Approve edited' }).click();
      await person.question.getByText('More than 0.', { exact: true }).waitFor();
      await person.question.getByRole('link', { name: 'Amount: More than 0.' }).press('Enter');
      expect(await focusedLabel(person)).toBe('Amount');
      await isTouchable(person, 'form with a problem');

      await person.question.getByLabel('Amount').fill('25');
      await person.question.getByRole('button', { name: 'Approve edited' }).click();
      await person.question.getByText("Your answer wasn't accepted.").waitFor();
      await eventually(() => person.question.getByLabel('Recipient').inputValue()).toBe(' ');
      await person.question.getByRole('link', { name: /^Recipient: / }).press('Enter');
      expect(await focusedLabel(person)).toBe('Recipient');
      expect(await person.reason.inputValue()).toBe('as agreed');
      expect(await paid()).toEqual([]);
      await isTouchable(person, 'refusal');

      await person.question.getByLabel('Recipient').fill('Alicia');
      await person.mayAnswer();
      const changes = person.question.getByRole('region', { name: 'Your changes' });
      expect(await changes.locator('dd').allInnerTexts()).toEqual([
        expect.stringMatching(/Alice\s+becomes\s+Alicia/),
        expect.stringMatching(/30\s+becomes\s+25/),
      ]);
      await isTouchable(person, 'changes');
      await person.question.getByRole('button', { name: 'Approve edited' }).click();
      await person.regenerate.waitFor();
      expect(await paid()).toEqual(['Alicia 25']);

      await person.page.reload();
      const call = person.call('process_payment');
      await call.locator('summary').first().click();
      await eventually(() => call.innerText()).toMatch(/Approved with edited arguments by/);
      expect(await call.innerText()).toMatch(/Alice\s+becomes\s+Alicia/);
      await isTouchable(person, 'settled');
    });

    it('says what will be remembered, and is not asked again', async ({ open }) => {
      const person = await asked(await open(view), mode, 'Search and update database', 'the demo database.');
      await person.question.getByText('Remember this approval').click();
      await person.question.getByRole('radio', { name: 'This chat' }).check();
      await person.question.getByRole('radio', { name: 'Any arguments' }).check();
      await person.question
        .getByText('will run without asking for the rest of this chat, with any arguments')
        .waitFor();
      await isTouchable(person, 'remember');
      await person.question.getByRole('button', { name: 'Approve and remember' }).click();
      await person.isAsked('to "reviewed"');
      await person.deny();
      await person.regenerate.waitFor();

      await person.say('Search and update database');
      await person.isAsked('to "reviewed"');
      await eventually(() => person.call('search_database', 1).innerText()).toContain('Done');
      await person.deny();
      await person.regenerate.waitFor();
    });

    it('counts down to the deadline, and denies with a reason, which is shared with the assistant', async ({
      open,
      paid,
    }) => {
      const person = await open(view);
      await withDeadline(person, new Date(Date.now() + 3_700_000).toISOString());
      await asked(person, mode, 'Pay Alice 30', 'Pay Alice 30 USD.');
      await person.question.getByText(/^Expires in 1 h \d+ min$/).waitFor();
      await isTouchable(person, 'question');
      await person.deny('she has no account');
      await person.isTold('the payment was denied (she has no account)');
      expect(await person.call('process_payment').innerText()).toMatch(/Denied by .+she has no account/);
      expect(await paid()).toEqual([]);
    });
  },
);

describe.each(modesOfThisRun('SSE'))('by keyboard alone over $mode', ({ mode }) => {
  it('edits arguments, reviews them, and approves them outside the form', async ({ open, paid }) => {
    const person = await asked(await open(), mode, 'Pay Rosa 30', 'Pay Rosa 30 USD.');
    const { page, question } = person;
    await person.mayAnswer();
    await tabTo(person, question.getByRole('button', { name: 'Edit' }));
    await page.keyboard.press('Enter');
    await hasFocus(question.getByLabel('Recipient'));
    await tabTo(person, question.getByLabel('Amount'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('12');
    for (const keys of ['Control+Enter', 'Control+.', 'Enter']) await page.keyboard.press(keys);
    expect(await person.server.openQuestions()).toHaveLength(1);
    expect(await paid()).toEqual([]);

    await tabTo(person, question.getByText('Add a reason'));
    await page.keyboard.press('Enter');
    await hasFocus(person.reason);
    // The effect of the edited payment comes from the server.
    await person.mayAnswer();
    await page.keyboard.press('Control+Enter');
    await eventually(() => question.allInnerTexts()).toEqual([]);
    await person.regenerate.waitFor();
    expect(await paid()).toEqual(['Rosa 12']);
  });

  it('returns the focus to the Edit button after editing was cancelled, with nothing changed', async ({
    open,
  }) => {
    const person = await asked(await open(), mode, 'Pay Alice 30', 'Pay Alice 30 USD.');
    await edit(person);
    await person.question.getByLabel('Amount').fill('1');
    await person.question.getByRole('button', { name: 'Cancel editing' }).focus();
    await person.page.keyboard.press('Enter');
    await hasFocus(person.question.getByRole('button', { name: 'Edit' }));
    expect(await person.question.innerText()).not.toContain('Proposed:');
    expect(await person.question.innerText()).toMatch(/Amount\s+30/);
    await person.deny();
    await person.regenerate.waitFor();
  });
});

describe('on a phone', () => {
  it('shows why an answer was refused, and with large text does not cover the card with it', async ({
    open,
  }) => {
    const phone = await open({ viewport: viewports.narrow, expected: /status of 403/ });
    await asked(phone, 'SSE', 'Pay Alice 30', 'Pay Alice 30 USD.');
    // Asked again, the card also says that the same call has run.
    await phone.approve();
    await phone.regenerate.waitFor();
    await phone.say('Pay Alice 30');
    await phone.isAsked('Pay Alice 30 USD.');
    await phone.page.route('**/api/chat', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { code: 'forbidden', message: 'You have left the group.' } },
      }),
    );
    await phone.approve();
    const refusal = phone.question.getByText('You have left the group.');
    await refusal.waitFor();
    await eventually(() => refusal.evaluate(isOnTop)).toBe(true);
    await phone.page.unroute('**/api/chat');
    await phone.page.setViewportSize({ width: 320, height: 568 });
    await phone.page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const heading = phone.question.getByText('Effect', { exact: true });
    await heading.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await eventually(() => heading.evaluate(isOnTop)).toBe(true);
    await phone.mayAnswer();
    await phone.deny();
    await phone.regenerate.waitFor();
  });
});

describe('with a mouse', () => {
  it('opens an element that the answers partly cover', async ({ open }) => {
    const person = await open({ viewport: { width: 360, height: 560 } });
    await person.say('Search and update database');
    await person.isAsked('the demo database.');
    await person.mayAnswer();
    const toggle = person.question.getByText('Add a reason');
    const { x, y } = await toggle.evaluate(halfBehindAnswers);
    const { mouse } = person.page;
    await mouse.move(x, y);
    await mouse.down();
    await person.page.evaluate(afterFrames);
    await mouse.up();
    await person.reason.waitFor();
  });
});

/** The third frame from now: what the focus scrolls, it scrolls in the first one. */
async function afterFrames(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

/** Whether an element can be seen from its first to its last line. */
function isOnTop(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => document.elementFromPoint((left + right) / 2, y) === element);
}

/** Scrolls an element half behind its card's answers. @returns a place on its other half */
function halfBehindAnswers(element: Element): { x: number; y: number } {
  const card = element.closest('[data-countersign="card"]');
  const answers = card?.querySelector('[data-countersign="card-actions"]');
  let scroller = element.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) {
    scroller = scroller.parentElement;
  }
  if (!answers || !scroller) throw new Error('There are no answers, or nothing scrolls.');
  const middle = () => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  scroller.scrollBy({ top: middle() - answers.getBoundingClientRect().top, behavior: 'instant' });
  const { left, top } = element.getBoundingClientRect();
  const place = { x: left + 10, y: top + 4 };
  const isHalf = Math.abs(middle() - answers.getBoundingClientRect().top) < 2;
  if (!isHalf || document.elementFromPoint(place.x, place.y) !== element) {
    throw new Error('The element is not half behind the answers.');
  }
  return place;
}

/** Chooses the transport, sends a message and waits for its question. */
async function asked(person: Person, mode: 'SSE' | 'BIDI', text: string, words: string): Promise<Person> {
  await person.choose(mode);
  await person.say(text);
  await person.isAsked(words);
  return person;
}

async function edit(person: Person): Promise<void> {
  await person.question.getByRole('button', { name: 'Edit' }).click();
  await person.question.getByRole('group', { name: 'Edit arguments' }).waitFor();
}

/** Adds a deadline to every question sent to the page. The demo's questions have none. */
async function withDeadline({ page }: Person, deadline: string): Promise<void> {
  const dated = (text: string) =>
    text.replaceAll('"approvalDescriptor":{', `"approvalDescriptor":{"deadline":"${deadline}",`);
  await page.route('**/api/chat', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, body: dated(await response.text()) });
  });
  await page.routeWebSocket(/\/api\/chat/, (socket) => {
    socket.connectToServer().onMessage((message) => socket.send(dated(String(message))));
  });
  await page.reload();
}

function focusedLabel({ page }: Person): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.firstChild : undefined;
    return label?.textContent ?? focused?.getAttribute('aria-label') ?? '';
  });
}

/** The page is sound, and no touch target of the question is too small. */
async function isTouchable(person: Person, state: string): Promise<void> {
  await isSound(person, state);
  const { question } = person;
  const small = await question
    .locator('button, input:not([type="radio"]), select, textarea, summary, label:has(input)')
    .evaluateAll((elements, least) => {
      const visible = elements.filter((element) => element.checkVisibility());
      return visible
        .filter((element) => element.getBoundingClientRect().height < least)
        .map((element) => element.outerHTML);
    }, touchTarget);
  expect(small, `${state}: too small for a finger`).toEqual([]);
}
