// depends on: app/chats lib/react/chat lib/client/chat lib/client/transport lib/sse lib/bidi lib/views/chunks
import { describe, expect } from 'vitest';
import { layLine } from './support/breakable-line.ts';
import { it as browserTest } from './support/browser-test.ts';
import { type PacedApp, saying, servePacedApp } from './support/paced-app.ts';
import { eventually, flat, modesOfThisRun, occurrences, type Person } from './support/person.ts';

const { first, second, third, last } = saying;

const it = browserTest
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first parameter
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }): Promise<PacedApp> => {
    const app = await servePacedApp();
    onCleanup(app.stop);
    return app;
  });

describe.each(modesOfThisRun('BIDI'))('the draft over $mode', ({ mode }) => {
  it('grows word by word, survives a reload, and settles without repetition', async ({ app, open }) => {
    const person = await inTheMiddle(app, await open({ url: app.url }), mode);
    expect(await shown(person)).toBe(first);
    app.letPass(3);
    await eventually(() => shown(person)).toContain(third);
    expect(await shown(person)).toContain(first + second);

    await person.page.reload();
    await eventually(() => person.draft.innerText()).toContain(third);
    expect(await shown(person)).toContain(first + second);
    expect(await shown(person)).not.toContain(last);

    app.letPass(4);
    await person.isTold(first + second, third + last);
  });

  it('ends where Stop was pressed, and does not change afterwards', async ({ app, open }) => {
    const person = await inTheMiddle(app, await open({ url: app.url }), mode);
    await person.stop.click();
    await person.regenerate.waitFor();
    await eventually(() => shown(person)).toContain(first);
    const stopped = await shown(person);
    app.letPass(4);
    expect(stopped).not.toContain(last);
    expect(await person.server.runOf()).toBe('idle');
    await person.page.reload();
    await person.regenerate.waitFor();
    expect(flat(await person.answer.innerText())).toBe(stopped);
    expect(await person.stop.count()).toBe(0);
  });

  it('continues after a broken connection, from a run that never stopped', async ({ app, open }) => {
    const line = await layLine(app.url);
    try {
      const expected = /net::ERR_|WebSocket connection to .* failed/;
      const person = await inTheMiddle(app, await open({ url: line.url, expected }), mode);
      line.cut();
      await person.banner.waitFor();
      expect(await shown(person)).toContain(first);
      app.letPass(4);
      line.mend();
      await person.banner.getByRole('button', { name: 'Try again' }).click();
      await person.isTold(first + second, third + last);
      expect(occurrences(first, await person.answer.innerText())).toBe(1);
      expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(1);
    } finally {
      await line.close();
    }
  });

  it('lets the user type, and sends nothing before the assistant is done', async ({ app, open }) => {
    const person = await inTheMiddle(app, await open({ url: app.url }), mode);
    await person.message.fill('multiply 5 and 4');
    await person.message.press('Enter');
    expect(await person.message.inputValue()).toBe('multiply 5 and 4');
    await person.stop.click();
    await person.regenerate.waitFor();
    app.letPass(4);
    await person.message.press('Enter');
    await person.isTold('5 times 4 is 20.');
    expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(2);
  });
});

/** Lets the model begin, and returns when its first words are visible. */
async function inTheMiddle(app: PacedApp, person: Person, mode: 'SSE' | 'BIDI'): Promise<Person> {
  app.letPass(1);
  await person.choose(mode);
  await person.say('Good morning');
  await eventually(() => person.draft.innerText()).toContain(first);
  return person;
}

/** The assistant's text, without the draft label. */
async function shown(person: Person): Promise<string> {
  return flat(await person.answer.innerText()).replace(/^Draft /i, '');
}
