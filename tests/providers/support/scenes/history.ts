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
];
