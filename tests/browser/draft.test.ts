import { describe, expect } from 'vitest';
import { layLine } from './support/breakable-line.ts';
import { it as browserTest } from './support/browser-test.ts';
import { eventually, flat, modesOfThisRun, occurrences, type Person } from './support/person.ts';
import { serveApp } from './support/serve-app.ts';
import { serverAt } from './support/server-view.ts';

/** Slow enough to act during a sentence of 45 words, even on a busy machine. */
const delayMs = '220';

const begins = 'I am a scripted demo model,';
const ends = 'or "call the flaky service".';

const it = browserTest
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first parameter
  .extend('slowApp', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await serveApp({ COUNTERSIGN_DEMO_DELAY_MS: delayMs });
    onCleanup(app.stop);
    return app;
  });

describe.each(modesOfThisRun('BIDI'))('the draft over $mode', ({ mode }) => {
  it('grows word by word, survives a reload, and settles without repetition', async ({ open, slowApp }) => {
    const person = await inTheMiddle(await open({ url: slowApp.url }), mode);
    const before = await shown(person);
    await eventually(async () => (await shown(person)).length).toBeGreaterThan(before.length);
    expect(await shown(person)).toContain(before);

    await person.page.reload();
    await person.draft.waitFor();
    const after = await shown(person);
    expect(after).toContain(before);
    expect(after).not.toContain(ends);

    await person.isTold(ends);
    expect(occurrences(begins, await person.answer.innerText())).toBe(1);
    expect(await shown(person)).toContain(before);
  });

  it('ends where Stop was pressed, and does not change afterwards', async ({ open, slowApp }) => {
    const person = await inTheMiddle(await open({ url: slowApp.url }), mode);
    await person.stop.click();
    await person.regenerate.waitFor();
    await eventually(() => shown(person)).toContain(begins);
    const stopped = await shown(person);
    expect(stopped).not.toContain(ends);
    expect(await serverAt(slowApp.url).runOf(await person.chatId())).toBe('idle');
    await person.page.reload();
    await person.regenerate.waitFor();
    expect(flat(await person.answer.innerText())).toBe(stopped);
    expect(await person.stop.count()).toBe(0);
  });

  it('continues after a broken connection, from a run that never stopped', async ({ open, slowApp }) => {
    const line = await layLine(slowApp.url);
    try {
      const expected = /net::ERR_|WebSocket connection to .* failed/;
      const person = await inTheMiddle(await open({ url: line.url, expected }), mode);
      line.cut();
      await person.banner.waitFor();
      const before = await shown(person);
      expect(before).toContain(begins);
      line.mend();
      await person.banner.getByRole('button', { name: 'Try again' }).click();
      await person.isTold(ends);
      expect(occurrences(begins, await person.answer.innerText())).toBe(1);
      expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(1);
    } finally {
      await line.close();
    }
  });

  it('lets the user type, and sends nothing before the assistant is done', async ({ open, slowApp }) => {
    const person = await inTheMiddle(await open({ url: slowApp.url }), mode);
    await person.message.fill('multiply 5 and 4');
    await person.message.press('Enter');
    expect(await person.message.inputValue()).toBe('multiply 5 and 4');
    await person.stop.click();
    await person.regenerate.waitFor();
    await person.message.press('Enter');
    await person.isTold('5 times 4 is 20.');
    expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(2);
  });
});

/** Starts the long sentence, and returns when its first words are visible. */
async function inTheMiddle(person: Person, mode: 'SSE' | 'BIDI'): Promise<Person> {
  await person.choose(mode);
  await person.say('Good morning');
  await eventually(() => person.draft.innerText()).toContain(begins);
  return person;
}

/** The assistant's text, without the draft label. */
async function shown(person: Person): Promise<string> {
  return flat(await person.answer.innerText()).replace(/^Draft /i, '');
}
