// depends on: app/chats app/_ui lib/react/card lib/client/text/visible-text.ts
import { describe, expect } from 'vitest';
import type { ScriptedResponse } from '../support/openai-script.ts';
import { serveResponses } from '../support/openai-server.ts';
import { it as browserTest } from './support/browser-test.ts';
import { modesOfThisRun, type Person } from './support/person.ts';
import { serveApp } from './support/serve-app.ts';

/** Text that would run code, load resources or mislead if it were not shown as plain text. */
const hostile = [
  '<img src="/pixel.png" onerror="globalThis.ran = 1">',
  '<script>globalThis.ran = 2</script>',
  '[a link](javascript:globalThis.ran=3)',
  '[data](data:text/html,<script>globalThis.ran=4</script>)',
  '![a picture](https://tracker.example/pixel.png)',
  '<a href="javascript:globalThis.ran=5" onclick="globalThis.ran=6">raw</a>',
  '<iframe src="javascript:globalThis.ran=7"></iframe>',
].join('\n\n');

/** U+202E reverses the reading direction: "gpj.exe" reads as "exe.jpg". */
const turned = '<b onmouseover="globalThis.ran=8">Mallory</b>\u202E';

/** The model in each chat: it requests a payment to a hostile name, and then writes hostile text. */
const turn = (name: string): ScriptedResponse[] => [
  [
    {
      call: 'process_payment',
      id: `fc_${name}`,
      callId: `call_${name}`,
      input: { recipient: turned, amount: 1 },
    },
  ],
  [{ text: hostile, id: `msg_${name}` }],
];

const it = browserTest
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its first parameter
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const model = await serveResponses(modesOfThisRun('BIDI').flatMap(({ mode }) => turn(mode)));
    const app = await serveApp({ OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: model.url });
    onCleanup(async () => {
      await app.stop();
      await model.close();
    });
    return app;
  });

describe.each(modesOfThisRun('BIDI'))('text of a hostile model or person over $mode', ({ mode }) => {
  it('is displayed, but runs nothing, loads nothing, and hides nothing that is being approved', async ({
    app,
    open,
  }) => {
    const person = await open({ url: app.url });
    const requests: string[] = [];
    person.page.on('request', (request) => requests.push(request.url()));
    await person.choose(mode);
    await person.say(`Please pay ${turned}: ${hostile}`);
    await person.isAsked('<b onmouseover="globalThis.ran=8">Mallory</b>⟨U+202E right-to-left override⟩');
    await isHarmless(person);
    await person.approve(turned);

    await person.regenerate.waitFor();
    expect(await person.answer.innerText()).toContain('a link');
    await isHarmless(person);
    await person.page.reload();
    await person.regenerate.waitFor();
    await isHarmless(person);
    await person.page.getByRole('link', { name: 'Timeline' }).click();
    await person.page.getByRole('heading', { level: 1, name: /^Timeline: Please pay/ }).waitFor();
    await isHarmless(person);
    expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([]);
    expect(requests.filter((url) => url.includes('pixel'))).toEqual([]);
  });
});

async function isHarmless({ page }: Person): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: 'ran' in globalThis,
    elements: document.querySelectorAll('main :is(img, script, iframe, b, [onclick], [onerror])').length,
    schemes: [...document.querySelectorAll('main a')]
      .map((link) => link.getAttribute('href') ?? '')
      // Paths of the app itself: a link to an earlier call like this one.
      .filter((href) => href !== '' && !href.startsWith('https://') && !/^\/(?!\/)/.test(href)),
  }));
  expect(found).toEqual({ ran: false, elements: 0, schemes: [] });
  // Nothing turns the text of the tab, a heading, a bubble, the rail, or a name that only screen readers read.
  const turning = await page.evaluate(() => {
    const names = ['aria-label', 'title', 'placeholder'];
    const texts = [...document.querySelectorAll('body *')].flatMap((element) => [
      ...names.map((name) => element.getAttribute(name) ?? ''),
      element.children.length === 0 && !element.matches('script, textarea')
        ? (element.textContent ?? '')
        : '',
    ]);
    return [document.title, ...texts].filter((text) => text.includes('\u202e'));
  });
  expect(turning).toEqual([]);
}
