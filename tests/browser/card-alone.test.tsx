// depends on: lib/react lib/client scripts/package/styles.mjs
import { ApprovalCard, type Question, ToolCard } from 'countersign/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect } from 'vitest';
import { packedStyles } from '../../scripts/package/styles.mjs';
import { withPlugins } from '../support/card-plugins.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';

const styles = await packedStyles('lib/react/cards.css');

const question: Question = {
  ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', title: 'Payment', state: 'open' },
  ...{ description: 'Pay Alice 30.', mayAnswer: true, mayEdit: true, mayRemember: true, risk: 'high' },
  input: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, `value ${index}`])),
};

/** A page that scrolls as a whole, without anything of the reference app. */
const pageOf = (risk: Question['risk']) =>
  `<!doctype html><html lang="en"><title>Payments</title><body>${renderToStaticMarkup(
    <main>
      <h1>Payments</h1>
      {withPlugins(
        <ApprovalCard question={{ ...question, ...(risk && { risk }) }} onAnswer={() => undefined} />,
      )}
      <ToolCard call={{ toolCallId: 'c0', toolName: 'pay', title: 'Payment', state: 'done' }} />
    </main>,
  )}`;

describe('a card in a page of its own', () => {
  it.for([
    { name: 'with the stylesheet', css: styles, isInView: true },
    { name: 'without a stylesheet', css: '', isInView: false },
  ])('has its answers last in one order, once each: $name', async ({ css, isInView }, { open }) => {
    const person = await open({ as: null, url: 'about:blank', viewport: { width: 320, height: 568 } });
    await person.page.setContent(pageOf('high').replace('<body>', `<style>${css}</style><body>`));
    expect(await person.denyButton.count()).toBe(1);
    expect(await person.approveButton.count()).toBe(1);
    const stops: string[] = [];
    await person.page.keyboard.press('Tab');
    while (stops.at(-1) !== 'Approve') {
      stops.push(await person.page.evaluate(() => document.activeElement?.firstChild?.textContent ?? ''));
      await person.page.keyboard.press('Tab');
      if (stops.length > 20) break;
    }
    expect(stops).toEqual([
      'Show JSON',
      expect.anything(),
      'Add a reason',
      'Remember this approval',
      'Deny',
      'Approve',
    ]);
    await person.page.evaluate(() => scrollTo(0, 0));
    const bottom = await person.approveButton.evaluate((button) => button.getBoundingClientRect().bottom);
    expect(bottom <= 568).toBe(isInView);
    expect(await violationsOf(person.page)).toEqual([]);
  });

  it.for(['none', 'active'] as const)(
    'distinguishes Approve for a high risk by more than colour: forced colours %s',
    async (forcedColors, { open }) => {
      const person = await open({ as: null, url: 'about:blank', forcedColors });
      const borderOf = async (risk: Question['risk']) => {
        await person.page.setContent(pageOf(risk).replace('<body>', `<style>${styles}</style><body>`));
        expect(await violationsOf(person.page)).toEqual([]);
        return person.approveButton.evaluate((button) => getComputedStyle(button).borderTopStyle);
      };
      expect([await borderOf('low'), await borderOf('high')]).toEqual(['solid', 'double']);
    },
  );
});
