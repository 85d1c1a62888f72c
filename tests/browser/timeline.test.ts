// depends on: app/chats lib/react/timeline lib/client/timeline lib/views/timeline
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { eventually, modesOfThisRun, type Person } from './support/person.ts';
import { everyViewOfThisRun } from './support/views.ts';

/** Sends a message, answers both questions, and opens the timeline by its link. */
async function timelineOf(person: Person): Promise<void> {
  await person.say('Search and update database');
  await person.isAsked('from the demo database.');
  await person.approve('Go on');
  await person.isAsked('to "reviewed"');
  await person.deny();
  await person.isTold('The database was not updated');
  await person.page.getByRole('link', { name: 'Timeline' }).click();
  await person.page.getByRole('region', { name: 'Timeline' }).waitFor();
}

describe.each(modesOfThisRun('SSE'))('the timeline of a chat over $mode', ({ mode }) => {
  it('lists model, questions and tools in order, with totals, opens to arguments and results, and is exported as the JSON of the API', async ({
    open,
  }) => {
    const person = await open();
    await person.choose(mode);
    await timelineOf(person);
    await person.page
      .getByRole('heading', { level: 1, name: 'Timeline: Search and update database' })
      .waitFor();
    const turn = person.page.getByRole('region', { name: 'Search and update database' });
    const rows = turn.getByRole('button');
    const told = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(await told()).toEqual([
      expect.stringMatching(/Model.*done/),
      expect.stringMatching(/Waiting for a person.*demo database.*approved/),
      expect.stringMatching(/Tool.*Search database.*done/),
      expect.stringMatching(/Model.*done/),
      expect.stringMatching(/Waiting for a person.*reviewed.*denied/),
      expect.stringMatching(/Model.*done/),
    ]);
    const figures = person.page.locator('[data-countersign="timeline-summary"] > div');
    expect((await figures.allInnerTexts()).slice(0, 3)).toEqual([
      expect.stringMatching(/Requests\s*2/),
      expect.stringMatching(/Median wait\s*[\d.]+ (ms|s)/),
      expect.stringMatching(/Denied\s*1/),
    ]);
    await rows.nth(1).click();
    await turn.getByText('Go on').waitFor();
    await rows.nth(2).click();
    await turn.getByRole('cell', { name: 'alice.moreau@example.com' }).waitFor();

    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.page.getByRole('link', { name: 'Export as JSON' }).click(),
    ]);
    const chatId = new URL(person.page.url()).pathname.split('/')[2];
    expect(download.suggestedFilename()).toBe(`timeline-${chatId}.json`);
    const saved: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
    const api = await person.page.request.get(`${appUrlOfWorker()}/api/chat/${chatId}/timeline`);
    expect(saved).toEqual(await api.json());
  });
});

describe('a timeline', () => {
  it('follows a chat that continues in another window', async ({ open }) => {
    const chat = await open();
    await chat.say('Pay Ida 30');
    await chat.isAsked('Pay Ida 30 USD.');
    const reader = await open({ url: `${chat.page.url()}/timeline` });
    const row = reader.page.getByRole('button').filter({ hasText: 'Pay Ida 30 USD.' });
    await eventually(() => row.innerText()).toContain('open');
    await chat.approve();
    await eventually(() => row.innerText()).toContain('approved');
    await reader.page.getByRole('button').filter({ hasText: 'Process payment' }).waitFor();
    await eventually(() => reader.page.getByRole('button').filter({ hasText: 'Model' }).count()).toBe(2);
  });

  it('shows the retry and the error of a service that fails', async ({ open }) => {
    const person = await open();
    await person.say('call the broken service');
    await person.regenerate.waitFor();
    await person.page.goto(`${person.page.url()}/timeline`);
    const rows = person.page.getByRole('button');
    await rows.filter({ hasText: 'Waiting to retry' }).waitFor();
    const failed = rows.filter({ hasText: 'failed' });
    await failed.click();
    await person.page.locator('[data-countersign="timeline-error"]').waitFor();
  });

  it('says that the chat was not found', async ({ open }) => {
    const person = await open({
      url: new URL('/chats/nowhere/timeline', appUrlOfWorker()).href,
      expected: /404/,
    });
    await person.page.getByText('Chat not found.').waitFor();
  });

  it.for(everyViewOfThisRun)(
    'can be read by keyboard, has no violation that axe finds and does not scroll sideways: $name',
    async (view, { open }) => {
      const person = await open(view);
      const { keyboard } = person.page;
      await timelineOf(person);
      await isSound(person, 'closed');
      const rows = person.page.locator('[data-countersign="timeline-row"]');
      await rows.first().focus();
      for (let index = 0; index < (await rows.count()); index += 1) {
        await keyboard.press('Enter');
        await eventually(() => rows.nth(index).getAttribute('aria-expanded')).toBe('true');
        await keyboard.press('ArrowDown');
      }
      await person.page.getByText('Go on').waitFor();
      await isSound(person, 'open');
      await keyboard.press('Home');
      await keyboard.press('End');
      await eventually(() => rows.last().evaluate((row) => row === document.activeElement)).toBe(true);
    },
  );
});
