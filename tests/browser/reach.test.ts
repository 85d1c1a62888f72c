// depends on: app lib/react/styles lib/react/card lib/react/inbox
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { hasFocus } from './support/keyboard.ts';
import { eventually, type Person, personAt } from './support/person.ts';

/** Small windows and large text, which is in `npm test`. */
const viewsOfThisRun = rowsOfThisRun(
  [
    { name: '320 × 568', viewport: { width: 320, height: 568 }, text: '100%' },
    { name: '844 × 390', viewport: { width: 844, height: 390 }, text: '100%' },
    // What is left of 1280 × 800 at a zoom of 200 %.
    {
      name: '1280 × 800 at 200 %',
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
      text: '100%',
    },
    { name: '390 × 844 with text of 200 %', viewport: { width: 390, height: 844 }, text: '200%' },
  ],
  (_, index) => index === 3,
);

describe('the answers', () => {
  it.for(viewsOfThisRun)(
    'stay in view, with the form, a problem and the reason open: $name',
    async (view, { open }) => {
      const person = await open(view);
      await person.page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, view.text);
      await person.say('Pay Alice 30');
      await person.isAsked('Pay Alice 30 USD.');
      await isReachable(person, 'question');
      expect(await person.question.evaluate(brokenWords)).toEqual([]);

      await person.question.getByRole('button', { name: 'Edit' }).click();
      const amount = person.question.getByLabel('Amount');
      await amount.fill('0');
      await person.approve();
      await person.question.getByText('More than 0.', { exact: true }).waitFor();
      await isReachable(person, 'problem');
      await eventually(() => isCovered(person)).toBe(false);

      await amount.press('Escape');
      await eventually(() => person.question.getByRole('button', { name: 'Edit' }).isVisible()).toBe(true);
      await person.openReason();
      await isReachable(person, 'reason');
      await eventually(() => isCovered(person)).toBe(false);
    },
  );

  it('stay in view beside the list of the inbox, wherever the page is scrolled', async ({ ask, open }) => {
    await ask('Pay Quinn 30');
    const url = new URL('/inbox', appUrlOfWorker()).href;
    const person = await open({ url, viewport: { width: 1280, height: 620 } });
    await person.page.getByRole('button', { name: /^Pay Quinn 30 USD\./ }).click();
    await person.isAsked('Pay Quinn 30 USD.');
    await isReachable(person, 'chosen');
    await person.page.getByRole('main').evaluate((main) => {
      main.scrollTop = 0;
    });
    await isReachable(person, 'at the top');
  });

  it('are a click away when the question is scrolled out of view', async ({ open }) => {
    const person = await open({ viewport: { width: 844, height: 390 } });
    const { page } = person;
    await person.say('tell me who you are');
    await person.regenerate.waitFor();
    await person.say('Pay Alice 30');
    await person.isAsked('Pay Alice 30 USD.');
    const back = page.getByRole('button', { name: 'Back to the question' });
    await eventually(() => back.count()).toBe(0);
    await page.getByRole('region', { name: 'Conversation' }).evaluate((area) => {
      area.scrollTop = 0;
    });
    await back.click();
    await isReachable(person, 'question');
    await hasFocus(person.question);
    await eventually(() => back.count()).toBe(0);
  });
});

describe('single keys', () => {
  it('answer the question with the focus; high risk asks first; the focus stays on the page', async ({
    open,
    paid,
  }) => {
    const person = await open();
    const { page } = person;
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await person.mayAnswer();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });

    await page.keyboard.press('a');
    const confirmation = page.getByRole('dialog', { name: 'Approve this high-risk request?' });
    await confirmation.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'hidden' });
    expect(await person.server.openQuestions()).toHaveLength(1);
    await page.keyboard.press('a');
    await confirmation.getByRole('button', { name: 'Yes, approve it' }).click();

    await person.isAsked('Pay Bob 40 USD.');
    await person.mayAnswer();
    await page.keyboard.press('d');
    await person.isTold('Bob was not paid 40 USD: the payment was denied.');
    expect(await paid()).toEqual(['Alice 30']);
    // After the last answer, the focus is on its outcome.
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toContain(
      'Pay Bob 40 USD.',
    );
  });
});

describe('notifications', () => {
  it('come once for all hidden tabs, and lead to the card', async ({ open }) => {
    const person = await open({ url: 'about:blank' });
    const context = person.page.context();
    await context.grantPermissions(['notifications']);
    // A page in a headless browser is never hidden, and nobody could click its notification.
    await context.addInitScript(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      if (location.protocol === 'about:') return;
      localStorage.setItem('countersign-notifications', 'on');
      class Shown extends EventTarget {
        static permission = 'granted';
        onclick: (() => void) | undefined;
        constructor(title: string, { body }: { body: string }) {
          super();
          document.documentElement.dataset.notified = `${document.documentElement.dataset.notified ?? ''}${title}: ${body}\n`;
          addEventListener('open-notification', () => this.onclick?.());
        }
        close() {}
      }
      Object.defineProperty(window, 'Notification', { value: Shown });
    });
    const tabs = [person, personAt(await context.newPage())];
    for (const tab of tabs) {
      await tab.page.goto(appUrlOfWorker());
      await tab.openSettings();
      await tab.page.getByRole('button', { name: 'Turn off notifications' }).waitFor();
    }
    const elsewhere = await open();
    await elsewhere.say('Pay Nina 31');
    await elsewhere.isAsked('Pay Nina 31 USD.');
    const notified = () =>
      Promise.all(
        tabs.map(({ page }) => page.evaluate(() => document.documentElement.dataset.notified ?? '')),
      );
    await eventually(async () => (await notified()).join('')).toContain('Pay Nina 31 USD.');
    for (const tab of tabs) await eventually(() => tab.page.title()).toMatch(/^\(\d+\)/);
    const texts = await notified();
    expect(texts.join('').match(/Pay Nina/g)).toHaveLength(1);

    const tab = tabs[texts.findIndex((text) => text.includes('Nina'))] ?? person;
    await tab.page.evaluate(() => dispatchEvent(new Event('open-notification')));
    await tab.isAsked('Pay Nina 31 USD.');
    await hasFocus(tab.question);
  });
});

/** Once nothing scrolls, both answers are completely in the window; nothing overflows to the side, and axe finds nothing. */
async function isReachable(person: Person, state: string): Promise<void> {
  await isSound(person, state);
  for (const button of [person.denyButton, person.approveButton])
    await eventually(() => button.evaluate(isInWindow), `${state}: ${button} is in view`).toBe(true);
}

function isInWindow(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const begins = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
  return left >= 0 && right <= innerWidth && top >= begins && bottom <= innerHeight;
}

/** The words of values that are broken across lines. */
function brokenWords(card: Element): string[] {
  const words = [...card.querySelectorAll('dd')].flatMap((value) => {
    const texts = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
    const found: [string, number][] = [];
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        found.push([word, range.getClientRects().length]);
      }
    }
    return found;
  });
  if (words.length === 0) throw new Error('There are no values.');
  return words.filter(([, lines]) => lines > 1).map(([word]) => word);
}

/** Whether the answers cover the element with the focus. */
function isCovered({ page }: Person): Promise<boolean> {
  return page.evaluate(() => {
    const answers = document.querySelector('[data-countersign="card-actions"]')?.getBoundingClientRect();
    const focused = document.activeElement?.getBoundingClientRect();
    return answers !== undefined && focused !== undefined && focused.bottom > answers.top + 1;
  });
}
