import { done, pay, type Scene, weather } from '../scene.ts';

const slow = { call: 'slow', input: {} };

/** What interrupts a turn. */
export const faultScenes: readonly Scene[] = [
  {
    name: 'a retry after the service was overloaded',
    settings: { maxRetries: 1 },
    script: [{ fails: 529 }, [pay('Al')], { fails: 529 }, done],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a stream that breaks in the text before a call',
    script: [[{ text: 'I will pay.' }, { ends: 'broken' }], [pay('Al')], done],
    play: async ({ say, approve, regenerate }) => {
      await say('Pay.');
      await regenerate();
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a stream that breaks after the call',
    script: [[pay('Al')], [{ text: 'Now I' }, { ends: 'broken' }]],
    play: async ({ say, approve }) => {
      await say('Pay.');
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a stop while a question is open',
    script: [[weather, pay('Al')]],
    play: async ({ say, stop }) => {
      await say('Pay.');
      await stop();
    },
    ran: ['weather Rome'],
  },
  {
    name: 'a stop while the model writes',
    script: [[{ text: 'Once upon a' }, { ends: 'never' }]],
    play: async ({ begin, stop, resume, served }) => {
      await begin('Tell me a story.');
      await served[0]?.arrived(1);
      await stop();
      await resume();
    },
    ran: [],
  },
  {
    name: 'a restart while a question is open',
    script: [[pay('Al'), pay('Bo')], done],
    play: async ({ say, approve, restart }) => {
      await say('Pay both.');
      await restart();
      await approve();
      await restart();
      await approve({ reason: 'Fine.' });
    },
    ran: ['pay Al 5', 'pay Bo 5'],
  },
  {
    name: 'a restart while the model writes',
    script: [[{ text: 'Let me' }, { ends: 'never' }], [pay('Al')], done],
    play: async ({ begin, served, restart, resume, approve }) => {
      await begin('Pay.');
      await served[0]?.arrived(1);
      await restart();
      await resume();
      await approve();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a restart while the model writes after the call',
    script: [[pay('Al')], [{ text: 'It is' }, { ends: 'never' }], done],
    play: async ({ say, beginAnswer, served, restart, resume }) => {
      await say('Pay.');
      await beginAnswer();
      await served[0]?.arrived(2);
      await restart();
      await resume();
    },
    ran: ['pay Al 5'],
  },
  {
    name: 'a crash while a call runs',
    script: [[weather, slow], done],
    play: async ({ tools, say, beginAnswer, crash, resume }) => {
      tools.slow = 'never ends';
      await say('Pay.');
      await beginAnswer();
      await tools.running;
      await crash();
      await resume();
    },
    ran: ['weather Rome', 'slow'],
  },
];
