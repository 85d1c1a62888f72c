import { isToolUIPart, type UIMessage } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { barrier } from './barrier.ts';
import type { ChatClient } from './chat-clients.ts';
import { chatFixture, pay } from './chat-fixture.ts';
import { contentsOf, expectResponses } from './response-contents.ts';

/** Tests of `useChat` with one of the library's clients: changed messages and failures. */
export function describeUseChatChanges(client: ChatClient): void {
  describe(`useChat over ${client.name}: another answer, another question`, () => {
    it('regenerate asks again, keeps the call that ran, and says that the new call repeats it [H7]', async () => {
      const script = [
        [pay('alice', 1)],
        [{ text: 'Paid once.' }],
        [pay('alice', 1)],
        [{ text: 'Paid again.' }],
      ];
      const { open, stored, ran, model } = await chatFixture(client, script);
      const { page, exchanges } = await open();
      page.send('Pay Alice.');
      await page.approve();
      await page.waitForText('Paid once.');
      void page.chat.regenerate();
      await page.waitForQuestion('pay');
      expect(JSON.stringify(page.messages.at(-1))).toContain('"repeatOf":{');
      await page.deny();
      await page.waitForText('Paid again.');
      expect(ran).toHaveLength(1);
      await expectResponses(exchanges.slice(0, 2), [
        ['asks pay(alice, 1)'],
        ['approved', 'text Paid once.', 'pay(alice, 1) gave {"paid":1,"to":"alice"}'],
      ]);
      await expectResponses(exchanges.slice(2), [
        ['asks pay(alice, 1)'],
        [
          ...[
            'denied',
            'text Paid again.',
            'shows pay(alice, 1)',
            'automatic question pay(alice, 1)',
            'approved',
          ],
          'pay(alice, 1) gave {"paid":1,"to":"alice"}',
          'pay(alice, 1) denied',
        ],
      ]);
      expect(page.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(page.messages).toEqual((await stored()).messages);
      expect(JSON.stringify(model.calls[2]?.prompt)).toContain('alice');
      expect(JSON.stringify(model.calls[2]?.prompt)).not.toContain('Paid once.');
    });

    it('regenerate withdraws an open question [H7]', async () => {
      const { open, stored, ran } = await chatFixture(client, [[pay('alice', 1)], [{ text: 'Rather not.' }]]);
      const { page, exchanges } = await open();
      page.send('Pay Alice.');
      await page.waitForQuestion('pay');
      void page.chat.regenerate();
      await page.waitForText('Rather not.');
      expect(ran).toEqual([]);
      expect(await contentsOf(exchanges)).toEqual([['asks pay(alice, 1)'], ['text Rather not.']]);
      expect((await stored()).open).toBeUndefined();
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('an edited message replaces the old one and everything after it [H7]', async () => {
      const script = [[{ text: 'Hello.' }], [pay('bob', 2)], [{ text: 'Bob is paid.' }]];
      const { open, stored, ran, model } = await chatFixture(client, script);
      const { page, exchanges } = await open();
      page.send('Greet me.');
      await page.waitForText('Hello.');
      void page.chat.sendMessage({ text: 'Pay Bob.', messageId: page.messages[0]?.id });
      await page.waitForQuestion('pay');
      await page.approve();
      await page.waitForText('Bob is paid.');
      expect(ran).toHaveLength(1);
      await expectResponses(exchanges.slice(0, 1), [['text Hello.']]);
      await expectResponses(exchanges.slice(1), [
        ['asks pay(bob, 2)'],
        ['approved', 'text Bob is paid.', 'pay(bob, 2) gave {"paid":2,"to":"bob"}'],
      ]);
      expect(page.messages).toHaveLength(2);
      expect(page.messages).toEqual((await stored()).messages);
      expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain('Greet me.');
    });

    it.each(['regenerates', 'sends'])(
      'an edit that the page makes in its own list and %s withdraws the question, and keeps what ran [H7]',
      async (how) => {
        const search = { call: 'search', input: { query: 'bob' } };
        const script = [[pay('alice', 1), search], [pay('carol', 3)], [{ text: 'Carol is paid.' }]];
        const { open, stored, ran, model } = await chatFixture(client, script);
        const { page } = await open();
        page.send('Pay Alice and find Bob.');
        await page.approve('pay');
        await page.waitForQuestion('search');
        await page.waitForStatus('ready');
        const [first] = page.messages;
        if (!first) throw new Error('There is no message to edit.');
        page.chat.setMessages([{ ...first, parts: [{ type: 'text', text: 'Pay Carol.' }] }]);
        void (how === 'sends' ? page.chat.sendMessage() : page.chat.regenerate());
        await page.approve('pay');
        await page.waitForText('Carol is paid.');
        expect(ran.map(({ input }) => input)).toEqual([
          { to: 'alice', amount: 1 },
          { to: 'carol', amount: 3 },
        ]);
        expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Pay Carol.');
        expect(page.messages).toHaveLength(2);
        expect(page.messages).toEqual((await stored()).messages);
      },
    );

    it('a new message withdraws the open question, and the model is informed [H8]', async () => {
      const { open, stored, ran, model } = await chatFixture(client, [
        [pay('alice', 1)],
        [{ text: 'All right.' }],
      ]);
      const { page, exchanges } = await open();
      page.send('Pay Alice.');
      await page.waitForQuestion('pay');
      page.send('Never mind.');
      await page.waitForText('All right.');
      expect(ran).toEqual([]);
      expect(await contentsOf(exchanges)).toEqual([['asks pay(alice, 1)'], ['text All right.']]);
      expect(JSON.stringify(model.calls[1]?.prompt)).toContain('superseded');
      const { messages, open: waiting } = await stored();
      expect(waiting).toBeUndefined();
      expect(statesOf(messages[1])).toEqual(['output-denied']);
      expect(page.messages.at(-1)).toEqual(messages.at(-1));
      expect(page.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    });
  });

  describe(`useChat over ${client.name}: an earlier message that changes`, () => {
    const search = { call: 'search', input: { query: 'bob' } };
    const script = [
      [{ text: 'I shall pay.' }, pay('alice', 1), search],
      [{ text: 'All right.' }],
      [{ text: 'Yes?' }],
    ];

    it.each<[string, (chat: { cancel: () => Promise<void> }) => unknown]>([
      ['a new message cancels', () => {}],
      ['is stopped, and then a new message comes', ({ cancel }) => cancel()],
    ])(
      'is true again after the next message, if the page reads it again: its question %s [H8]',
      async (_how, before) => {
        const { open, stored, ran } = await chatFixture(client, script);
        const { page, transport } = await open({ rereads: true });
        page.send('Pay Alice and find Bob.');
        await page.approve('pay');
        await page.waitForQuestion('search');
        await page.waitForStatus('ready');
        await before({ cancel: () => transport.cancel('chat') });
        page.send('Never mind.');
        await page.waitForText('All right.');
        await expect.poll(async () => page.messages).toEqual((await stored()).messages);
        expect(statesOf(page.messages[1])).toEqual(['output-available', 'output-denied']);
        expect(ran).toHaveLength(1);
      },
    );

    it('has its old card until then, whose answer is not sent [P2]', async () => {
      const { open, stored, ran } = await chatFixture(client, script);
      const { page, exchanges } = await open();
      page.send('Pay Alice and find Bob.');
      const { approvalId = '' } = await page.waitForQuestion('pay');
      page.send('Never mind.');
      await page.waitForText('All right.');
      await page.chat.addToolApprovalResponse({ id: approvalId, approved: true });
      expect(page.chat.status).toBe('ready');
      page.send('Are you there?');
      await page.waitForText('Yes?');
      expect(exchanges).toHaveLength(3);
      expect(ran).toEqual([]);
      expect(statesOf((await stored()).messages[1])).toEqual(['output-denied', 'output-error']);
    });
  });

  describe(`useChat over ${client.name}: stop`, () => {
    it('stops an active run; the draft is kept, and nothing is sent automatically [H5]', async () => {
      const never = barrier();
      const script: ScriptedStep[] = [
        [{ text: 'Once upon' }, { wait: never.wait }],
        [{ text: 'Hello again.' }],
      ];
      const { open, stored } = await chatFixture(client, script);
      const { page, transport, exchanges } = await open();
      page.send('Tell me a story.');
      await page.waitForDraft('Once upon');
      await transport.cancel('chat');
      await page.waitForText('Once upon');
      expect(await contentsOf(exchanges)).toEqual([['text Once upon', 'abort: stopped']]);
      expect((await stored()).run.status).toBe('idle');
      expect(page.messages).toEqual((await stored()).messages);

      page.send('Hello?');
      await page.waitForText('Hello again.');
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('withdraws an open question; a reload shows it denied, and an answer to it runs nothing [H5]', async () => {
      const { open, stored, ran } = await chatFixture(client, [[{ text: 'I shall pay.' }, pay('alice', 1)]]);
      const { page, transport, exchanges } = await open();
      page.send('Pay Alice.');
      await page.waitForQuestion('pay');
      await transport.cancel('chat');
      expect((await stored()).open).toBeUndefined();
      await page.approve();
      await page.waitForText('I shall pay.');
      expect(statesOf(page.messages.at(-1))).toEqual(['output-denied']);
      expect(await contentsOf(exchanges)).toEqual([
        ['asks pay(alice, 1)'],
        ['withdrawn', 'text I shall pay.', 'pay(alice, 1) denied', 'abort: stopped'],
      ]);
      expect(ran).toEqual([]);
      page.leave();

      const { page: later } = await open();
      await later.waitForText('I shall pay.');
      expect(statesOf(later.messages.at(-1))).toEqual(['output-denied']);
      expect(later.messages).toEqual((await stored()).messages);
    });
  });

  describe(`useChat over ${client.name}: failures`, () => {
    it('a failing model produces a safe error text, and regenerate tries again', async () => {
      const script = [[{ reject: new Error('key sk-123 is wrong') }], [{ text: 'Here I am.' }]];
      const { open, stored } = await chatFixture(client, script, { maxRetries: 0 });
      const { page, exchanges } = await open();
      page.send('Hello?');
      await page.waitForStatus('error');
      expect(await contentsOf(exchanges)).toEqual([[expect.stringMatching(/^error: /)]]);
      expect(page.chat.error?.message).not.toContain('sk-123');
      void page.chat.regenerate();
      await page.waitForText('Here I am.');
      expect(page.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('a model that produces nothing causes one error, so no answer is sent repeatedly [T15]', async () => {
      const { open, ran } = await chatFixture(client, [[]]);
      const { page, exchanges } = await open();
      page.send('Hello?');
      await page.waitForStatus('error');
      expect(ran).toEqual([]);
      await expectResponses(exchanges, [[expect.stringMatching(/^error: /)]]);
    });

    it('a message whose request was lost is received by the retry [H7]', async () => {
      const { open, stored, model } = await chatFixture(client, [[{ text: 'Hello.' }]]);
      const { page, breakLine } = await open();
      breakLine();
      page.send('Hello?');
      await page.waitForStatus('error');
      expect(model.calls).toHaveLength(0);
      void page.chat.regenerate();
      await page.waitForText('Hello.');
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('an answer whose request was lost is sent again and runs its call once', async () => {
      const { open, stored, ran } = await chatFixture(client, [[pay('alice', 1)], [{ text: 'Paid.' }]]);
      const { page, breakLine, exchanges } = await open();
      page.send('Pay Alice.');
      await page.waitForQuestion('pay');
      breakLine();
      await page.approve();
      await page.waitForStatus('error');
      expect(ran).toEqual([]);
      void page.chat.sendMessage();
      await page.waitForText('Paid.');
      expect(ran).toHaveLength(1);
      await expectResponses(exchanges, [
        ['asks pay(alice, 1)'],
        ['approved', 'text Paid.', 'pay(alice, 1) gave {"paid":1,"to":"alice"}'],
      ]);
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('a failing tool shows its error, and the turn continues', async () => {
      const script = [
        [pay('alice', 1), { call: 'weather', input: { town: 1 } }],
        [{ text: 'That went wrong.' }],
      ];
      const { open, stored } = await chatFixture(client, script);
      const { page, exchanges } = await open();
      page.send('Pay Alice.');
      await page.waitForQuestion('pay');
      await page.approve();
      await page.waitForText('That went wrong.');
      await expectResponses(exchanges, [
        ['asks pay(alice, 1)'],
        [
          ...['approved', 'text That went wrong.', 'pay(alice, 1) gave {"paid":1,"to":"alice"}'],
          'weather(1) failed: invalid input',
        ],
      ]);
      expect(statesOf(page.messages.at(-1))).toEqual(['output-available', 'output-error']);
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('a second message while a run is active is refused, and the run continues [H6]', async () => {
      const midway = barrier();
      const script: ScriptedStep[] = [[{ text: 'One ' }, { wait: midway.wait }, { text: 'two.' }]];
      const { open, api } = await chatFixture(client, script);
      const { page } = await open();
      page.send('Count.');
      await page.waitForDraft('One ');
      const refused = await fetch(api, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          id: 'chat',
          message: { id: 'user-x', role: 'user', parts: [{ type: 'text', text: 'Faster!' }] },
        }),
      });
      expect(refused.status).toBe(409);
      expect((await refused.json()).error.code).toBe('run-active');
      midway.lift();
      await page.waitForText('two.');
      expect(page.messages).toHaveLength(2);
    });
  });
}

function statesOf(message: UIMessage | undefined): string[] {
  return message?.parts.filter(isToolUIPart).map(({ state }) => state) ?? [];
}
