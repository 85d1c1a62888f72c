// depends on: app/operations lib/plugins/insights
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { violationsOf } from './support/axe.ts';
import { it } from './support/browser-test.ts';
import { hasFocus } from './support/keyboard.ts';
import { otto } from './support/people.ts';
import { viewsOfThisRun } from './support/views.ts';

const charts = ['Waiting time by tool', 'Waiting time by risk', 'Waiting time by person'];

describe('insights on the operations page [ADR 0052]', () => {
  it.for(viewsOfThisRun)(
    'shows a manager how people answer, in charts with tables: $name',
    async (view, { open }) => {
      const person = await open({ ...view, as: otto });
      const { page } = person;
      const url = (path: string) => new URL(path, appUrlOfWorker()).href;
      await person.say('Pay Ida 30');
      await person.isAsked('Pay Ida 30 USD.');
      await person.approve();
      await person.regenerate.waitFor();
      await page.goto(url('/operations'));

      const insights = page.getByRole('region', { name: 'Insights' });
      for (const name of charts) await insights.getByRole('img', { name }).waitFor();
      await insights.getByRole('img', { name: 'Requests by hour of the day, UTC' }).waitFor();
      const by = insights.getByRole('figure').filter({ hasText: 'Waiting time by risk' });
      await by.getByText('Show as a table').press('Enter');
      await by.getByRole('columnheader', { name: 'Median wait' }).waitFor();
      expect(await by.getByRole('row').count()).toBeGreaterThan(1);
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);

      await insights.getByLabel('Requests of the last').selectOption('7 days');
      await insights.getByLabel('Time zone').fill('Asia/Kathmandu');
      await insights.getByRole('button', { name: 'Show' }).click();
      await insights.getByRole('img', { name: 'Requests by hour of the day, Asia/Kathmandu' }).waitFor();
      expect(await insights.getByLabel('Requests of the last').inputValue()).toBe('7d');
      // At the end of the document, the browser moves the focus to its fragment. Before, it would take it from the link.
      await hasFocus(insights);
      const downloading = page.waitForEvent('download');
      await insights.getByRole('link', { name: 'Export as CSV' }).press('Enter');
      const exported = await downloading;
      expect(exported.suggestedFilename()).toMatch(/\.csv$/);
      expect(await readFile(await exported.path(), 'utf8')).toMatch(/^group,key,name,settled/);

      await page.goto(url('/operations?timeZone=Mars'));
      await insights.getByRole('alert').waitFor();
      expect(await violationsOf(page)).toEqual([]);
    },
  );
});
