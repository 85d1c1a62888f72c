// depends on: docs/guides/get-started.md examples/next-minimal lib/flow lib/react/index.ts
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { type Colour, contrastOf, luminanceOf, over, parseColour } from './support/contrast.ts';
import { type Styling, stepsOfFirstGuide } from './support/first-guide.ts';
import { setUpFirstPage } from './support/first-page.ts';

/** Least contrast of text, and of what shows where a control or a mark is. @source WCAG 2.2 1.4.3, WCAG 2.2 1.4.11 */
const least = { text: 4.5, shape: 3 };

const minimalExample = resolve(import.meta.dirname, '../../examples/next-minimal');
/** All tests of the app are also made with Tailwind, in the matrix. */
const stylings = rowsOfThisRun<Styling>(['plain CSS', 'Tailwind 4'], (styling) => styling === 'plain CSS');

/** How an element is painted, on an opaque colour below it. */
async function paintOf(element: Locator, below: Colour) {
  const computed = await element.evaluate((node) => {
    const { color, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(node);
    return { color, backgroundColor, borderTopColor, borderTopWidth };
  });
  const background = over(parseColour(computed.backgroundColor), below);
  return {
    isFilled: parseColour(computed.backgroundColor)[3] === 1,
    background,
    text: over(parseColour(computed.color), background),
    border: over(parseColour(computed.borderTopColor), below),
    borderWidth: computed.borderTopWidth,
  };
}

describe('the steps of the first guide, from a new Next.js app to an approval chat', () => {
  it('create exactly the files of the minimal example', async () => {
    const files = (await stepsOfFirstGuide()).filter((step) => 'file' in step);
    expect(files.map(({ file }) => file).sort()).toEqual([
      'app/api/[...path]/route.ts',
      'app/layout.tsx',
      'app/page.tsx',
    ]);
    for (const { file, content } of files) {
      expect(content).toBe(await readFile(join(minimalExample, file), 'utf8'));
    }
  });
});

describe.each(stylings)("the first guide's app, by next build, with %s", (styling) => {
  const open = setUpFirstPage(styling);

  it('makes two payments, one approved and one denied, in a browser', async () => {
    const { page, uncaught, consoleErrors } = await open();
    await page.getByRole('textbox', { name: 'Message' }).fill('Pay Alice 30 and Bob 40');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Pay Alice 30/ }).waitFor();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('heading', { name: /Pay Bob 40/ }).waitFor();
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByText('2 payments are settled.').waitFor();
    expect(uncaught).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'shows its question in colours that can be read: %s',
    async (scheme) => {
      const { page, consoleErrors } = await open({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.getByRole('textbox', { name: 'Message' }).fill('Pay Alice 30 and Bob 40');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: /Pay Alice 30/ }).waitFor();

      const canvas = parseColour(
        await page.evaluate(() => {
          const probe = document.body.appendChild(document.createElement('p'));
          probe.style.backgroundColor = 'Canvas';
          return getComputedStyle(probe).backgroundColor;
        }),
      );
      const card = await paintOf(page.locator('[data-countersign="card"]'), canvas);
      expect(card.isFilled).toBe(true);
      expect(card.borderWidth).toBe('1px');
      expect(contrastOf(card.border, canvas)).toBeGreaterThan(least.shape);
      expect(contrastOf(card.text, card.background)).toBeGreaterThan(least.text);
      const isDark = (colour: Colour) => luminanceOf(colour) < 0.18;
      expect([isDark(canvas), isDark(card.background)]).toEqual([scheme === 'dark', scheme === 'dark']);

      const approve = await paintOf(page.getByRole('button', { name: /^Approve/ }), card.background);
      expect(approve.isFilled).toBe(true);
      expect(contrastOf(approve.background, card.background)).toBeGreaterThan(least.shape);
      expect(contrastOf(approve.text, approve.background)).toBeGreaterThan(least.text);

      const deny = await paintOf(page.getByRole('button', { name: /^Deny/ }), card.background);
      expect(deny.isFilled).toBe(true);
      expect(deny.borderWidth).toBe('1px');
      expect(contrastOf(deny.border, card.background)).toBeGreaterThan(least.shape);
      expect(contrastOf(deny.text, deny.background)).toBeGreaterThan(least.text);

      const risk = await paintOf(page.locator('[data-countersign="card-risk"]'), card.background);
      expect(risk.isFilled).toBe(true);
      expect(contrastOf(risk.border, card.background)).toBeGreaterThan(least.shape);
      expect(contrastOf(risk.text, risk.background)).toBeGreaterThan(least.text);
      expect(consoleErrors).toEqual([]);
    },
  );

  it('shows the chat again after a reload between two questions and after the end', async () => {
    const { page, url, uncaught, consoleErrors } = await open();
    await page.getByRole('textbox', { name: 'Message' }).fill('Pay Alice 30 and Bob 40');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Pay Alice 30/ }).waitFor();

    await page.reload();
    await page.getByText('Pay Alice 30 and Bob 40').waitFor();
    await page.getByRole('heading', { name: /Pay Alice 30/ }).waitFor();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('heading', { name: /Pay Bob 40/ }).waitFor();

    await page.reload();
    await page.getByRole('heading', { name: /Pay Bob 40/ }).waitFor();
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByText('2 payments are settled.').waitFor();
    const address = page.url();

    await page.reload();
    await page.getByText('2 payments are settled.').waitFor();
    expect(await page.getByText('Pay Alice 30 and Bob 40').count()).toBe(1);
    expect(await page.locator('[data-countersign="tool"]').count()).toBe(2);
    expect(await page.locator('[data-countersign="card"][data-state="open"]').count()).toBe(0);
    expect(page.url()).toBe(address);

    // The start page again: another chat.
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('How can I help?').waitFor();
    expect(await page.getByText('Pay Alice 30 and Bob 40').count()).toBe(0);
    await page.goBack();
    await page.getByText('2 payments are settled.').waitFor();
    expect(uncaught).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });
});
