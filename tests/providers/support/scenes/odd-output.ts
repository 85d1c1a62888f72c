import { bob, cleo } from '../../../support/votes-fixture.ts';
import { done, pay, type Scene } from '../scene.ts';

const call = (name: string, id?: string) => ({ call: name, input: {}, ...(id === undefined ? {} : { id }) });

/** What models, tools and people say that a service may refuse when it comes back. */
export const oddScenes: readonly Scene[] = [
  {
    name: 'an answer of white space',
    script: [[{ text: ' ' }]],
    play: ({ say }) => say('Hi.'),
    ran: [],
  },
  {
    name: 'a last word of white space',
    script: [[pay('Al')], [{ text: '\n\n' }]],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'white space before a call',
    script: [[{ text: '\n\n' }, pay('Al')], done],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'white space beside a text of the person',
    script: [done],
    play: ({ say }) => say('Hi.', ' \n'),
    ran: [],
  },
  {
    name: 'no word after the calls',
    script: [[pay('Al')], []],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a result of two texts and a picture',
    script: [[call('photo')], done],
    play: async ({ say, approve }) => {
      await say('Show me.');
      await approve();
    },
    ran: ['photo'],
  },
  {
    name: 'a note with such a result',
    script: [[call('photo')], done],
    play: async ({ say, approve }) => {
      await say('Show me.');
      await approve({ reason: 'Only today.' });
    },
    ran: ['photo'],
  },
  {
    name: 'a result that is a picture',
    script: [[call('picture')], done],
    play: ({ say }) => say('Show me.'),
    ran: ['picture'],
  },
  {
    name: 'results of white space, of nothing, and an error without a message',
    script: [[call('blank'), call('nothing'), call('failing')], done],
    play: ({ say }) => say('Try.'),
    ran: ['blank', 'nothing', 'failing'],
  },
  {
    name: 'a result with keys of prototypes',
    script: [[call('reserved')], done],
    play: ({ say }) => say('Read.'),
    ran: ['reserved'],
  },
  {
    name: 'a call of a tool that the model has made up',
    script: [[call('bank.pay'), pay('Al')], done],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'an id that each reply repeats',
    script: [[pay('Al', 5, 'pay:0'), pay('Bo', 5, 'pay:0')], [pay('Cy', 5, 'pay:0')], done],
    play: async ({ say, approve }) => {
      await say('Pay all.');
      await approve();
      await approve();
      await approve();
    },
    ran: ['pay Al 5', 'pay Bo 5', 'pay Cy 5'],
  },
  {
    name: 'an id of 300 characters',
    script: [[pay('Al', 5, 'x'.repeat(300))], done],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a question that is asked again with the arguments of a voter',
    script: [[{ call: 'refund', input: { to: 'Eve', amount: 9 } }], done],
    play: async ({ say, approve, resume }) => {
      await say('Refund.');
      await approve({ by: bob, input: { to: 'Eve', amount: 4 } });
      await approve({ by: cleo });
      await resume();
    },
    ran: ['refund Eve 4'],
  },
  {
    name: 'instructions of white space',
    script: [done],
    play: ({ instruct }) => instruct(' ', 'Hi.'),
    ran: [],
  },
];
