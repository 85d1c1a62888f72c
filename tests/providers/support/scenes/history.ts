import type { UIMessage } from 'ai';
import { ada } from '../../../support/flow-fixture.ts';
import { done, pay, type Scene, weather } from '../scene.ts';

/** What changes the history of a chat. */
export const historyScenes: readonly Scene[] = [
  {
    name: 'a new message while a question is open',
    script: [[pay('Al')], done],
    play: async ({ say }) => {
      await say('Pay.');
      await say('Never mind.');
    },
    ran: [],
  },
  {
    name: 'a new message while the second of two questions is open',
    script: [[pay('Al'), pay('Bo')], done],
    play: async ({ say, approve }) => {
      await say('Pay both.');
      await approve();
      await say('Only Al, then.');
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a turn that is regenerated before its answer',
    script: [[pay('Al')], [pay('Bo')], done],
    play: async ({ say, regenerate, approve }) => {
      await say('Pay.');
      await regenerate();
      await approve();
    },
    ran: ['pay Bo 5'],
  },
  {
    name: 'a turn that is regenerated after its call',
    script: [[{ text: 'I pay.' }, pay('Al')], done, [{ text: 'Paid, I say.' }]],
    play: async ({ say, regenerate, approve }) => {
      await say('Pay.');
      await approve();
      await regenerate();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a message that is edited before the answer',
    script: [[pay('Al')], [pay('Bo')], done],
    play: async ({ say, edit, approve }) => {
      await say('Pay Al.');
      await edit('Pay Bo.');
      await approve();
    },
    ran: ['pay Bo 5'],
  },
  {
    name: 'a message that is edited after its call',
    script: [[weather, pay('Al')], done, [pay('Bo')], done],
    play: async ({ say, edit, approve }) => {
      await say('Pay Al.');
      await approve();
      await edit('Pay Bo, too.');
      await approve();
    },
    ran: ['weather Rome', 'pay Al 5', 'pay Bo 5'],
  },
  {
    name: 'an imported chat, with messages without content and ids of another service',
    script: [done],
    play: async ({ flow, chatId, say }) => {
      await flow.imports.chat({ principal: ada, chatId, messages: past });
      await say('Go on.');
    },
    ran: [],
  },
];

/** What another app has stored. */
const past: UIMessage[] = [
  { id: 'p1', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] },
  { id: 'p2', role: 'assistant', parts: [{ type: 'data-note', data: 1 }] },
  { id: 'p3', role: 'user', parts: [{ type: 'text', text: ' ' }] },
  { id: 'p4', role: 'assistant', parts: [{ type: 'text', text: '' }] },
  { id: 'p5', role: 'user', parts: [{ type: 'text', text: 'And Rome?' }] },
  {
    id: 'p6',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-weather',
        toolCallId: 'functions.weather:0',
        state: 'output-available',
        input: { city: 'Rome' },
        output: 'Sunny',
      },
      { type: 'step-start' },
      { type: 'text', text: '' },
    ],
  },
];
