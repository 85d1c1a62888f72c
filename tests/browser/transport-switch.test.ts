// depends on: app/chats lib/react/chat lib/client/chat lib/client/transport lib/sse lib/bidi
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { it } from './support/browser-test.ts';
import { eventually } from './support/person.ts';
import { watchTraffic } from './support/traffic.ts';

const switches = [
  { from: 'SSE', to: 'BIDI' },
  { from: 'BIDI', to: 'SSE' },
] as const;
const switchesOfThisRun = rowsOfThisRun(switches, ({ from }) => from === 'BIDI');

describe('the SSE/BIDI switch', () => {
  it.for(switchesOfThisRun)(
    'keeps the chat and continues from $from over $to, also between two questions',
    async (row, { open }) => {
      const person = await open();
      const traffic = watchTraffic(person.page);
      await person.choose(row.from);
      await person.say('multiply 5 and 4');
      await person.isTold('5 times 4 is 20.');
      await person.say('Search and update database');
      await person.isAsked('from the demo database.');
      await person.approve();
      await person.isAsked('to "reviewed"');
      expect(traffic.sent.map(({ via }) => via)).toEqual([row.from, row.from, row.from]);

      await person.choose(row.to);
      expect(await person.page.getByText('5 times 4 is 20.').count()).toBe(1);
      await person.isAsked('to "reviewed"');
      await person.approve();
      await person.isTold('Let me look.', 'Found 10 users.', 'Database updated.');
      await person.say('multiply 6 and 7');
      await person.isTold('6 times 7 is 42.');
      expect(traffic.sent.map(({ via }) => via).slice(3)).toEqual([row.to, row.to]);
      expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(3);
    },
  );

  it('is remembered by the browser', async ({ open }) => {
    const person = await open();
    await person.choose('BIDI');
    await person.page.reload();
    await person.openSettings();
    await eventually(() => person.page.getByRole('radio', { name: 'BIDI' }).isChecked()).toBe(true);
  });
});
