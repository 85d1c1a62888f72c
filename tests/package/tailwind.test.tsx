// depends on: lib/react/styles lib/react/styles.css scripts/package/styles.mjs
import { ApprovalCard, type CallView, type Question, ToolCard } from 'countersign/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { launchBrowser, openPage } from '../browser/launch.ts';
import { paintedParts } from './support/painted.ts';
import { run } from './support/run.ts';
import { compiledTailwind } from './support/tailwind.ts';

const question: Question = {
  id: 'q1',
  chatId: 'chat',
  toolCallId: 'c1',
  toolName: 'pay',
  title: 'Pay',
  input: { recipient: 'Alice', items: [{ sku: 'a' }], note: 'two\nlines', nested: { list: ['x'] } },
  description: 'Pay Alice 30.',
  risk: 'high',
  askedBy: { id: 'ada', name: 'Ada' },
  deadline: '2099-01-01T00:00:00Z',
  position: { index: 1, of: 2 },
  state: 'open',
  mayAnswer: true,
  mayEdit: true,
  mayRemember: true,
};
const call: CallView = {
  toolCallId: 'c1',
  toolName: 'pay',
  title: 'Pay',
  state: 'done',
  input: question.input,
  output: { paid: true },
  summary: 'Paid Alice 30',
  resultCount: 1,
  durationMs: 12,
};

const parts = renderToStaticMarkup(
  <main>
    <ApprovalCard question={question} onAnswer={() => undefined} />
    <ApprovalCard question={{ ...question, state: 'expired' }} onAnswer={() => undefined} />
    <ToolCard call={call} />
    <ToolCard call={{ ...call, state: 'failed', problem: 'No funds.' }} />
  </main>,
);

/** Fonts and lines, which components inherit from the page on purpose. */
const ownText = 'html { font: 16px / 1.5 sans-serif; color-scheme: light dark } body { margin: 0 }';
const order = '@layer theme, base, countersign, components, utilities;';

describe('the stylesheet beside the resets of Tailwind 4', () => {
  let own = '';
  let tailwind = '';
  beforeAll(async () => {
    const packed = run('tar', ['-xzOf', inject('tarball'), 'package/dist/react/styles.css'], { cwd: '.' });
    [own, tailwind] = await Promise.all([packed, compiledTailwind()]);
  });

  it.each(['light', 'dark'] as const)(
    'paints every part as without Tailwind, imported before or after it: %s',
    async (colorScheme) => {
      const browser = await launchBrowser();
      onTestFinished(() => browser.close());
      const painted = async (...sheets: readonly string[]) => {
        const { page } = await openPage(browser, { colorScheme, reducedMotion: 'reduce' });
        const styles = [...sheets, ownText].map((sheet) => `<style>${sheet}</style>`).join('');
        await page.setContent(
          `<!doctype html><html lang="en"><head>${styles}</head><body>${parts}</body></html>`,
        );
        return paintedParts(page);
      };

      const alone = await painted(own);
      expect(alone.length).toBeGreaterThan(1000);
      expect(await painted(own, tailwind)).toEqual(alone);
      expect(await painted(tailwind, own)).toEqual(alone);
      expect(await painted(order, tailwind, own)).toEqual(alone);
      // The resets alone would change them.
      expect(await painted(own, tailwind.replaceAll('@layer base', '@layer utilities'))).not.toEqual(alone);
    },
  );
});
