import { bob, cleo } from '../../../support/votes-fixture.ts';
import { done, lend, pay, type Scene, weather } from '../scene.ts';

/** What a person may say to a question. */
export const answerScenes: readonly Scene[] = [
  {
    name: 'two calls, one after the other',
    script: [[{ text: 'First Al.' }, pay('Al')], [pay('Bo')], done],
    play: async ({ say, approve }) => {
      await say('Pay both.');
      await approve();
      await approve();
    },
    ran: ['pay Al 5', 'pay Bo 5'],
  },
  {
    name: 'two calls at the same time',
    script: [[pay('Al'), pay('Bo')], done],
    play: async ({ say, approve }) => {
      await say('Pay both.');
      await approve();
      await approve();
    },
    ran: ['pay Al 5', 'pay Bo 5'],
  },
  {
    name: 'a call that asks, and one that does not',
    script: [[weather, pay('Al')], done],
    play: async ({ say, approve }) => {
      await say('Look, and pay.');
      await approve();
    },
    ran: ['weather Rome', 'pay Al 5'],
  },
  {
    name: 'a denial',
    script: [[pay('Al')], done],
    play: async ({ say, deny }) => {
      await say('Pay.');
      await deny();
    },
    ran: [],
  },
  {
    name: 'a denial with a reason, of one of two calls',
    script: [[pay('Al'), pay('Bo')], done],
    play: async ({ say, approve, deny }) => {
      await say('Pay both.');
      await deny('Not Al.');
      await approve();
    },
    ran: ['pay Bo 5'],
  },
  {
    name: 'a note with an approval',
    script: [[pay('Al')], done],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve({ reason: 'Only today.' });
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'edited arguments',
    script: [[pay('Al'), pay('Bo')], done],
    play: async ({ say, approve }) => {
      await say('Pay both.');
      await approve({ input: { to: 'Al', amount: 1 } });
      await approve({ input: { to: 'Bo', amount: 2 }, reason: 'Less.' });
    },
    ran: ['pay Al 1', 'pay Bo 2'],
  },
  {
    name: 'an option that approves other arguments',
    script: [[lend], done],
    play: async ({ say, approve }) => {
      await say('Lend.');
      await approve({ option: 'half' });
    },
    ran: ['lend Al 4'],
  },
  {
    name: 'an option that denies',
    script: [[lend], done],
    play: async ({ say, approve }) => {
      await say('Lend.');
      await approve({ option: 'later', approved: false });
    },
    ran: [],
  },
  {
    name: 'two of three approvers',
    script: [[{ call: 'refund', input: { to: 'Eve', amount: 9 } }], done],
    play: async ({ say, approve, resume }) => {
      await say('Refund.');
      await approve({ by: bob });
      await approve({ by: cleo, reason: 'Known case.' });
      await resume();
    },
    ran: ['refund Eve 9'],
  },
];
