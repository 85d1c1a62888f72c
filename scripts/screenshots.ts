import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { launchBrowser, openPage, type View, viewports } from '../tests/browser/launch.ts';
import { type Person, personAt } from '../tests/browser/support/person.ts';
import { serveApp } from '../tests/browser/support/serve-app.ts';

/**
 * `npm run screenshots`: takes the README's screenshots of the built app with its scripted model. Not part of the
 * tests: run it when the pages change.
 */
const folder = resolve(import.meta.dirname, '../docs/screenshots');
/** Tall enough for the second question and everything before it. */
const viewport = { width: 1280, height: 920 };
const sharp: View = { deviceScaleFactor: 2, reducedMotion: 'reduce', viewport };

await mkdir(folder, { recursive: true });
const app = await serveApp({ COUNTERSIGN_DEMO_DELAY_MS: '0' });
const browser = await launchBrowser();
try {
  const person = await open(sharp);
  await earlierChats(person);
  await take(person, 'empty');

  await person.say('Search and update database');
  await person.isAsked('from the demo database.');
  await take(person, 'question');
  await person.approve();
  await person.isAsked('to "reviewed"');
  await person.openReason();
  await person.reason.fill('Checked with the team');
  await take(person, 'second-question');
  await person.approve();
  await person.regenerate.waitFor();
  await person.answer.getByText('Database updated.').waitFor();
  await take(person, 'final');
  await person.page.getByRole('link', { name: 'Timeline' }).click();
  await person.page.getByText('Median wait').waitFor();
  await take(person, 'timeline');

  const editor = await open(sharp);
  await editor.say('Pay Alice 30 and Bob 40');
  await editor.isAsked('Pay Alice 30 USD.');
  await editor.question.getByRole('button', { name: 'Edit' }).click();
  await editor.question.getByLabel('Amount').fill('25');
  await editor.question.getByRole('region', { name: 'Your changes' }).waitFor();
  await take(editor, 'edit');

  const dark = await open({ ...sharp, colorScheme: 'dark' });
  await dark.say('Pay Alice 30 and Bob 40');
  await dark.isAsked('Pay Alice 30 USD.');
  await dark.approve();
  await dark.isAsked('Pay Bob 40 USD.');
  await take(dark, 'dark');

  const phone = await open({ ...sharp, viewport: viewports.phone });
  await phone.say('Search and update database');
  await phone.isAsked('from the demo database.');
  await take(phone, 'phone');

  await person.page.goto(`${app.url}/inbox`);
  await person.page.getByRole('checkbox', { name: 'Select all' }).waitFor();
  await take(person, 'inbox');
} finally {
  await browser.close();
  await app.stop();
}

async function open(view: View): Promise<Person> {
  const { page } = await openPage(browser, view);
  await page.goto(app.url);
  await page.getByRole('heading', { level: 2 }).waitFor();
  return personAt(page);
}

/** A list that is not empty. */
async function earlierChats(person: Person): Promise<void> {
  for (const [text, told] of [
    ['search files for approval', 'about approval'],
    ['What is the weather in Tokyo?', 'in Tokyo.'],
  ] as const) {
    await person.say(text);
    await person.regenerate.waitFor();
    await person.answer.getByText(told).first().waitFor();
    await person.page.getByRole('link', { name: 'New chat' }).click();
    await person.page.getByRole('heading', { name: 'The assistant asks' }).waitFor();
  }
}

async function take({ page }: Person, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`docs/screenshots/${name}.png`);
}
