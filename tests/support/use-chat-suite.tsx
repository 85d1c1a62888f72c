import { draftOf, phasesOf, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { barrier } from './barrier.ts';
import type { ChatClient } from './chat-clients.ts';
import { chatFixture, pay } from './chat-fixture.ts';
import { contentsOf, expectResponses } from './response-contents.ts';
import { databaseTools, workedExample } from './worked-example.ts';

/** Tests of `useChat` with one of the library's clients, for every transport. */
export function describeUseChat(client: ChatClient): void {
  describe(`useChat over ${client.name}: answers`, () => {
    const answers = [
      ['approve', 'approve'],
      ['approve', 'deny'],
      ['deny', 'approve'],
      ['deny', 'deny'],
    ] as const;

    it.each(answers)(
      '%s, then %s: each call follows its answer, and the message equals the stored one',
      async (first, second) => {
        const { tools, effects } = databaseTools();
        const { open, stored } = await chatFixture(client, workedExample, { tools });
        const { page, exchanges } = await open();
        page.send('Search and update database');
        await page.waitForQuestion('search_database');
        await page[first]();
        await page.waitForQuestion('update_database');
        await page[second]();
        await page.waitForText('Database updated.');

        expect(effects).toEqual([
          ...(first === 'approve' ? ['searched users'] : []),
          ...(second === 'approve' ? ['set active'] : []),
        ]);
        await expectResponses(exchanges, [
          ['asks search_database(users)'],
          [first === 'approve' ? 'approved' : 'denied', 'asks update_database(active)'],
          [
            second === 'approve' ? 'approved' : 'denied',
            'text Let me look.',
            'text Found 10 users.',
            'text Database updated.',
            `search_database(users) ${first === 'approve' ? 'gave {"rows":10}' : 'denied'}`,
            `update_database(active) ${second === 'approve' ? 'gave {"updated":10}' : 'denied'}`,
          ],
        ]);
        expect(page.messages).toHaveLength(2);
        expect(page.messages).toEqual((await stored()).messages);
        expect(
          page.messages.at(-1)?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
        ).toEqual(['Let me look.', 'Found 10 users.', 'Database updated.']);
      },
    );

    it('asks about the second of two calls in one step after the first answer, and settles both at the end', async () => {
      const { open, stored, ran } = await chatFixture(client, [
        [pay('alice', 30), pay('bob', 40)],
        [{ text: 'Done.' }],
      ]);
      const { page, exchanges } = await open();
      page.send('Pay Alice 30 and Bob 40');
      await page.waitForQuestion('pay');
      expect(page.messages.at(-1)?.parts.filter(({ type }) => type === 'tool-pay')).toHaveLength(1);
      await page.deny();
      await page.waitForStatus('ready');
      await page.approve();
      await page.waitForText('Done.');
      expect(ran.map(({ input }) => input)).toEqual([{ to: 'bob', amount: 40 }]);
      await expectResponses(exchanges, [
        ['asks pay(alice, 30)'],
        ['denied', 'asks pay(bob, 40)'],
        ['approved', 'text Done.', 'pay(alice, 30) denied', 'pay(bob, 40) gave {"paid":40,"to":"bob"}'],
      ]);
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('drafts and lifecycle changes arrive by onData, and never enter the message [T6]', async () => {
      const { open } = await chatFixture(client, workedExample, { tools: databaseTools().tools });
      const { page, exchanges } = await open();
      page.send('Search and update database');
      await page.waitForQuestion('search_database');
      expect(draftOf(page.data)).toBe('Let me look.');
      await page.approve();
      await page.waitForQuestion('update_database');
      await page.deny();
      await page.waitForText('Database updated.');
      await expectResponses(exchanges, [
        ['asks search_database(users)'],
        ['approved', 'asks update_database(active)'],
        [
          ...['denied', 'text Let me look.', 'text Found 10 users.', 'text Database updated.'],
          'search_database(users) gave {"rows":10}',
          'update_database(active) denied',
        ],
      ]);
      expect(phasesOf(page.data, 'search')).toEqual(['requested', 'started', 'completed']);
      expect(phasesOf(page.data, 'update')).toEqual(['requested', 'denied']);
      expect(
        page.messages.flatMap(({ parts }) => parts.filter(({ type }) => type.startsWith('data-'))),
      ).toEqual([]);
    });
  });

  describe(`useChat over ${client.name}: answers in progressive release`, () => {
    const script: ScriptedStep[] = [
      [{ text: 'First Alice.' }, pay('alice', 30), { text: 'Please confirm.' }],
      [{ text: 'Then Bob.' }, pay('bob', 40)],
      [{ text: 'Done.' }],
    ];

    it.each([
      ['approve', 'deny'],
      ['deny', 'approve'],
    ] as const)('%s, then %s: text before a question keeps no answer back [T11]', async (first, second) => {
      const { open, stored, ran } = await chatFixture(client, script, { release: 'progressive' });
      const { page, exchanges } = await open();
      page.send('Pay Alice 30 and Bob 40');
      await page.waitForQuestion('pay');
      await page[first]();
      await page.waitForText('Then Bob.');
      await page.waitForQuestion('pay');
      await page[second]();
      await page.waitForText('Done.');
      expect(ran).toHaveLength(1);
      const responses = [
        ['text First Alice.', 'text Please confirm.', 'asks pay(alice, 30)'],
        first === 'approve'
          ? [
              'approved',
              'pay(alice, 30) gave {"paid":30,"to":"alice"}',
              'step',
              'text Then Bob.',
              'asks pay(bob, 40)',
            ]
          : ['denied', 'pay(alice, 30) denied', 'step', 'text Then Bob.', 'asks pay(bob, 40)'],
        second === 'approve'
          ? ['approved', 'pay(bob, 40) gave {"paid":40,"to":"bob"}', 'step', 'text Done.']
          : ['denied', 'pay(bob, 40) denied', 'step', 'text Done.'],
      ];
      await expectResponses(exchanges, responses, { release: 'progressive' });
      expect(page.messages).toEqual((await stored()).messages);
    });
  });

  describe(`useChat over ${client.name}: client tools`, () => {
    const clientTools = ['locate', 'theme'];

    it('sends the answer and the output of an approved client call in one request', async () => {
      const script = [[{ call: 'locate', id: 'where' }, pay('alice', 1)], [{ text: 'You are here.' }]];
      const { open, stored, ran } = await chatFixture(client, script, { clientTools });
      const { page, exchanges } = await open();
      page.send('Where am I?');
      await page.waitForQuestion('locate');
      await page.approve();
      expect(exchanges).toHaveLength(1);
      await page.output('locate', { lat: 52 });
      await page.waitForQuestion('pay');
      await page.approve();
      await page.waitForText('You are here.');
      const responses = [
        ['asks locate()'],
        ['asks pay(alice, 1)'],
        ['approved', 'text You are here.', 'pay(alice, 1) gave {"paid":1,"to":"alice"}'],
      ];
      await expectResponses(exchanges, responses, { clientTools });
      expect(ran).toHaveLength(1);
      expect(page.messages).toEqual((await stored()).messages);
    });

    it.each<[string, { output: string } | { state: 'output-error'; errorText: string }, string]>([
      ['an output', { output: 'dark' }, 'dark'],
      ['an error', { state: 'output-error', errorText: 'No theme here.' }, 'No theme here.'],
    ])(
      'hands over a call without a question, and the model receives %s',
      async (_what, outcome, expected) => {
        const script = [[{ text: 'Let me see.' }, { call: 'theme', id: 'look' }], [{ text: 'I see.' }]];
        const { open, stored, model } = await chatFixture(client, script, { clientTools });
        const { page, exchanges } = await open();
        page.send('Which theme?');
        await page.waitForCall('theme');
        await page.chat.addToolOutput({ tool: 'theme', toolCallId: 'look', ...outcome });
        await page.waitForText('I see.');
        expect(JSON.stringify(model.calls[1]?.prompt)).toContain(expected);
        const responses = [['hands over theme()'], ['text Let me see.', 'text I see.']];
        await expectResponses(exchanges, responses, { clientTools });
        expect(page.messages).toEqual((await stored()).messages);
      },
    );
  });

  describe(`useChat over ${client.name}: disconnecting and resuming`, () => {
    it('during a run: it continues, the draft is replayed, and nothing appears twice', async () => {
      const midway = barrier();
      const script: ScriptedStep[] = [
        [{ text: 'Let me ' }, { wait: midway.wait }, { text: 'look.' }, pay('alice', 30)],
        [{ text: 'Paid.' }],
      ];
      const { open, stored, ran } = await chatFixture(client, script);
      const { page } = await open();
      page.send('Pay.');
      await page.waitForDraft('Let me ');
      page.leave();

      const { page: later, exchanges } = await open();
      await later.waitForDraft('Let me ');
      midway.lift();
      await later.waitForQuestion('pay');
      expect(draftOf(later.data)).toBe('Let me look.');
      await later.approve();
      await later.waitForText('Paid.');
      expect(ran).toHaveLength(1);
      expect(await contentsOf(exchanges)).toEqual([
        ['approved', 'text Let me ', 'text look.', 'text Paid.', 'call-0-3 gave {"paid":30,"to":"alice"}'],
      ]);
      expect(later.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(later.messages).toEqual((await stored()).messages);
    });

    it('during a tool call: it runs once, and its result is shown at the end', async () => {
      const { wait, lift } = barrier();
      const { tools, effects } = databaseTools();
      const search = tools.search_database;
      const slow = {
        ...search,
        execute: async () => wait.then(() => effects.push('searched')).then(() => ({ rows: 10 })),
      };
      const { open, stored } = await chatFixture(client, workedExample, {
        tools: { ...tools, search_database: slow },
      });
      const { page } = await open();
      page.send('Search and update database');
      await page.waitForQuestion('search_database');
      await page.approve();
      await page.waitForStatus('streaming');
      page.leave();

      const { page: later, exchanges } = await open();
      await later.waitForStatus('streaming');
      lift();
      await later.waitForQuestion('update_database');
      await later.approve();
      await later.waitForText('Database updated.');
      expect(effects).toEqual(['searched', 'set active']);
      expect(await contentsOf(exchanges)).toEqual([
        [
          ...['approved', 'text Let me look.', 'text Found 10 users.', 'text Database updated.'],
          'search gave {"rows":10}',
          'update gave {"updated":10}',
        ],
      ]);
      expect(later.messages).toEqual((await stored()).messages);
    });

    it('at an open question: it is shown again, and its answer continues the same message', async () => {
      const { open, stored, ran } = await chatFixture(client, [
        [pay('alice', 30), pay('bob', 40)],
        [{ text: 'Done.' }],
      ]);
      const { page } = await open();
      page.send('Pay.');
      await page.waitForQuestion('pay');
      await page.approve();
      await page.waitForStatus('ready');
      await page.waitForQuestion('pay');
      const id = page.messages.at(-1)?.id;
      page.leave();

      const { page: later, exchanges } = await open();
      await later.waitForStatus('ready');
      await later.approve();
      await later.waitForText('Done.');
      expect(ran).toHaveLength(2);
      expect(await contentsOf(exchanges)).toEqual([
        [
          ...['approved', 'text Done.'],
          'call-0-0 gave {"paid":30,"to":"alice"}',
          'call-0-1 gave {"paid":40,"to":"bob"}',
        ],
      ]);
      expect(later.messages.at(-1)?.id).toBe(id);
      expect(later.messages).toEqual((await stored()).messages);
    });
  });
}
