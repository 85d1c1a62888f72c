import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type View, viewports } from '../../tests/browser/launch.ts';
import type { Person } from '../../tests/browser/support/person.ts';
import { photograph, type Studio } from './studio.ts';

/** Tall enough for the second question and everything before it. */
const viewport = { width: 1280, height: 920 };
const sharp: View = { deviceScaleFactor: 2, viewport };

/** The pictures of README.md and of the guide to the reference app. */
export async function takeReadmePictures({ url, open }: Studio, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const take = async ({ page }: Person, name: string) => {
    await photograph(page, join(folder, `${name}.png`));
    console.log(`docs/screenshots/${name}.png`);
  };
  const start = async (view: View) => {
    const person = await open(view);
    await person.page.getByRole('heading', { level: 2 }).waitFor();
    return person;
  };

  const person = await start(sharp);
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

  const editor = await start(sharp);
  await editor.say('Pay Alice 30 and Bob 40');
  await editor.isAsked('Pay Alice 30 USD.');
  await editor.question.getByRole('button', { name: 'Edit' }).click();
  await editor.question.getByLabel('Amount').fill('25');
  await editor.question.getByRole('region', { name: 'Your changes' }).waitFor();
  await take(editor, 'edit');

  const dark = await start({ ...sharp, colorScheme: 'dark' });
  await dark.say('Pay Alice 30 and Bob 40');
  await dark.isAsked('Pay Alice 30 USD.');
  await dark.approve();
  await dark.isAsked('Pay Bob 40 USD.');
  await take(dark, 'dark');

  const phone = await start({ ...sharp, viewport: viewports.phone });
  await phone.say('Search and update database');
  await phone.isAsked('from the demo database.');
  await take(phone, 'phone');

  await person.page.goto(`${url}/inbox`);
  await person.page.getByText('Pay Alice 30 USD.').first().click();
  await person.page.getByRole('link', { name: 'Open as a page' }).waitFor();
  await take(person, 'inbox');
}

/** A list that is not empty. */
async function earlierChats(person: Person): Promise<void> {
  for (const [text, answer] of [
    ['search files for approval', 'about approval'],
    ['What is the weather in Tokyo?', 'in Tokyo.'],
  ] as const) {
    await person.say(text);
    await person.regenerate.waitFor();
    await person.answer.getByText(answer).first().waitFor();
    await person.page.getByRole('link', { name: 'New chat' }).click();
    await person.page.getByRole('heading', { name: 'The assistant asks' }).waitFor();
  }
}
