import { type ToolSet, tool, type UIMessage } from 'ai';
import { phasesOf, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { chatFixture, pay } from '../support/chat-fixture.ts';
import { countingTools } from '../support/flow-fixture.ts';
import { expectResponses } from '../support/response-contents.ts';

const clients = [sseClient, bidiClient].map((client) => [client.name, client] as const);
const clientTools = ['locate', 'theme'];

type CallShown = [toolCallId: string, type: string, state: string];

/** The counting tools, and one that always fails. */
function toolsWithFailure(): { tools: ToolSet; ran: () => string[] } {
  const { tools, ran } = countingTools();
  const broken = tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: (): string => {
      throw new Error('The line is dead.');
    },
  });
  return {
    tools: { ...tools, broken },
    ran: () => ran.map(({ tool: name, toolCallId }) => `${name} ${toolCallId}`),
  };
}

/** Every kind of call, over three steps. */
const everyKind: ScriptedStep[] = [
  [
    { text: 'First, a look around.' },
    { call: 'weather', id: 'w1', input: { city: 'Oslo' } },
    { ...pay('alice', 30), id: 'p1' },
    { call: 'weather', id: 'w2', input: { town: 'nowhere' } },
    { call: 'broken', id: 'b1' },
  ],
  [{ reasoning: 'Now the client.' }, { call: 'locate', id: 'l1' }, { ...pay('bob', 40), id: 'p2' }],
  [
    { text: 'Nearly there.' },
    { call: 'theme', id: 't1' },
    { call: 'search', id: 's1', input: { query: 'x' } },
  ],
  [{ text: 'All done.' }],
];

/** The calls in the message: asked and handed-over calls first, in order of time; the others at the end. */
const shown: readonly CallShown[] = [
  ['p1', 'tool-pay', 'output-available'],
  ['b1', 'tool-broken', 'output-error'],
  ['l1', 'tool-locate', 'output-available'],
  ['p2', 'tool-pay', 'output-denied'],
  ['t1', 'tool-theme', 'output-available'],
  ['s1', 'tool-search', 'output-available'],
  ['w1', 'tool-weather', 'output-available'],
  // The SDK makes a dynamic call of one whose input matches no schema.
  ['w2', 'dynamic-tool', 'output-error'],
];

/** The content of each response: one question or handed-over call, and everything else at the end. */
const everyResponse: readonly string[][] = [
  ['asks pay(alice, 30)'],
  ['approved', 'asks broken()'],
  ['approved', 'asks locate()'],
  ['asks pay(bob, 40)'],
  ['denied', 'hands over theme()'],
  ['asks search(x)'],
  [
    ...[
      'approved',
      'text First, a look around.',
      'reasoning Now the client.',
      'text Nearly there.',
      'text All done.',
    ],
    ...['shows weather(Oslo)', 'weather(Oslo) gave "Sunny in Oslo"'],
    'pay(alice, 30) gave {"paid":30,"to":"alice"}',
    'weather(nowhere) failed: invalid input',
    'broken() failed: The line is dead.',
    'pay(bob, 40) denied',
    'search(x) gave ["row for x"]',
  ],
];

describe('several tools in several steps', () => {
  it.each(clients)(
    '%s: gated, ungated, invalid, failing, denied and client calls each appear once and in order',
    async (_name, client) => {
      const { tools, ran } = toolsWithFailure();
      const { open, stored, model } = await chatFixture(client, everyKind, { tools, clientTools });
      const { page, exchanges } = await open();

      page.send('Do everything.');
      await page.waitForQuestion('pay');
      expect(ran()).toEqual(['weather w1']);
      await page.approve();
      await page.waitForQuestion('broken');
      expect(ran()).toEqual(['weather w1', 'pay p1']);
      await page.approve();
      await page.waitForQuestion('locate');
      await page.approve();
      await page.output('locate', { lat: 59 });
      await page.waitForQuestion('pay');
      await page.deny();
      await page.output('theme', 'dark');
      await page.waitForQuestion('search');
      await page.approve();
      await page.waitForText('All done.');

      expect(ran()).toEqual(['weather w1', 'pay p1', 'search s1']);
      expect(callsOf(page.messages.at(-1))).toEqual(shown);
      expect(page.messages).toEqual((await stored()).messages);
      expect(page.messages).toHaveLength(2);

      await expectResponses(exchanges, everyResponse, { clientTools });

      const told = JSON.stringify(model.calls.at(-1)?.prompt);
      for (const outcome of [
        'Sunny in Oslo',
        'The line is dead.',
        'execution-denied',
        '59',
        'dark',
        'row for x',
      ]) {
        expect(told).toContain(outcome);
      }
      expect(phasesOf(page.data, 'b1')).toEqual(['requested', 'started', 'failed']);
      expect(phasesOf(page.data, 'p2')).toEqual(['requested', 'denied']);
    },
  );

  it.each(clients)(
    '%s: nothing is asked: text comes first, then the results of the turn in call order',
    async (_name, client) => {
      const script: ScriptedStep[] = [
        [
          { call: 'weather', id: 'w1', input: { city: 'Oslo' } },
          { call: 'weather', id: 'w2', input: { city: 'Rome' } },
        ],
        [{ text: 'And Paris?' }, { call: 'weather', id: 'w3', input: { city: 'Paris' } }],
        [{ text: 'Sunny everywhere.' }],
      ];
      const { open, stored, ran } = await chatFixture(client, script);
      const { page, exchanges } = await open();
      page.send('How is the weather?');
      await page.waitForText('Sunny everywhere.');
      expect(callsOf(page.messages.at(-1)).map(([id]) => id)).toEqual(['w1', 'w2', 'w3']);
      expect(ran).toHaveLength(3);
      await expectResponses(exchanges, [
        [
          ...['text And Paris?', 'text Sunny everywhere.'],
          ...['shows weather(Oslo)', 'weather(Oslo) gave "Sunny in Oslo"'],
          ...['shows weather(Rome)', 'weather(Rome) gave "Sunny in Rome"'],
          ...['shows weather(Paris)', 'weather(Paris) gave "Sunny in Paris"'],
        ],
      ]);
      expect(page.messages).toEqual((await stored()).messages);
    },
  );

  it.each(clients)(
    '%s: streams text and results live if no tool could ever ask [T10]',
    async (_name, client) => {
      const script: ScriptedStep[] = [
        [{ text: 'A moment.' }, { call: 'weather', input: { city: 'Oslo' } }],
        [{ text: 'Sunny.' }],
      ];
      const { weather } = countingTools().tools;
      const { open, stored } = await chatFixture(client, script, { tools: { weather } });
      const { page, exchanges } = await open();
      page.send('How is the weather?');
      await page.waitForText('Sunny.');
      const live = ['text A moment.', 'shows weather(Oslo)', 'weather(Oslo) gave "Sunny in Oslo"'];
      await expectResponses(exchanges, [[...live, 'step', 'text Sunny.']], { release: 'progressive' });
      expect(page.data.filter(({ type }) => type === 'data-draft')).toEqual([]);
      expect(page.messages).toEqual((await stored()).messages);
    },
  );

  it.each(clients)(
    '%s: a call id that the model uses for every call settles no call twice',
    async (_name, client) => {
      const script: ScriptedStep[] = [
        [{ ...pay('alice', 1), id: 'same' }],
        [{ ...pay('bob', 2), id: 'same' }],
        [{ text: 'Both paid.' }],
      ];
      const { open, stored, ran } = await chatFixture(client, script);
      const { page, exchanges } = await open();
      page.send('Pay both.');
      await page.waitForQuestion('pay');
      await page.approve();
      await page.waitForStatus('ready');
      await page.waitForQuestion('pay');
      await page.deny();
      await page.waitForText('Both paid.');
      expect(ran.map(({ input }) => input)).toEqual([{ to: 'alice', amount: 1 }]);
      await expectResponses(exchanges, [
        ['asks pay(alice, 1)'],
        ['approved', 'asks pay(bob, 2)'],
        [
          ...['denied', 'text Both paid.'],
          'pay(alice, 1) gave {"paid":1,"to":"alice"}',
          'pay(bob, 2) denied',
        ],
      ]);
      expect(callsOf(page.messages.at(-1)).map(([, , state]) => state)).toEqual([
        'output-available',
        'output-denied',
      ]);
      expect(page.messages).toEqual((await stored()).messages);
    },
  );
});

/** The calls of a message, in the order of its parts. */
function callsOf(message: UIMessage | undefined): CallShown[] {
  return (message?.parts ?? []).flatMap((part): CallShown[] =>
    'toolCallId' in part ? [[part.toolCallId, part.type, part.state]] : [],
  );
}
