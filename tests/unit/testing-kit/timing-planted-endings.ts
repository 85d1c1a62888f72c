import * as kit from '../../../lib/testing/index.ts';
import type { Planted } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { before, ending, firstQuestion, secondQuestion, without, yes } = flow;

/** Faults in final responses (T3). */
export const plantedEndings: Planted[] = [
  [
    'T3@2',
    'outcomes before the text',
    [
      firstQuestion,
      secondQuestion,
      kit.response(yes('b'), [kit.output('a'), kit.output('b'), ...kit.text('Done.')]),
    ],
  ],
  [
    'T3@2',
    'text between the outcomes',
    [
      firstQuestion,
      secondQuestion,
      kit.response(yes('b'), [kit.output('a'), ...kit.text('Done.'), kit.output('b')]),
    ],
  ],
  [
    'T3@2',
    'an outcome that is missing',
    [
      firstQuestion,
      secondQuestion,
      kit.finalResponse({ ...yes('b'), texts: ['Done.'], outcomes: [kit.output('b')] }),
    ],
  ],
  [
    'T3@2',
    'outcomes out of order',
    [
      firstQuestion,
      secondQuestion,
      kit.finalResponse({ ...yes('b'), outcomes: [kit.output('b'), kit.output('a')] }),
    ],
  ],
  [
    'T3@1',
    'outcomes out of the order that lifecycles report',
    [
      before(firstQuestion, 'finish-step', kit.lifecycle('w', 'requested'), kit.lifecycle('a', 'requested')),
      kit.finalResponse({
        ...yes('a'),
        outcomes: [kit.output('a'), ...kit.shownCall(flow.weather), kit.output('w')],
      }),
    ],
  ],
  [
    'T3@2',
    'the same outcome twice',
    [firstQuestion, secondQuestion, before(ending, 'finish-step', kit.output('b'))],
  ],
  [
    'T3@2',
    'a preliminary output',
    [
      firstQuestion,
      secondQuestion,
      before(ending, 'tool-output-available', {
        type: 'tool-output-available',
        toolCallId: 'a',
        output: 1,
        preliminary: true,
      }),
    ],
  ],
  ['T3@0', 'an outcome of a call never shown', [kit.finalResponse({ outcomes: [kit.output('w')] })]],
  [
    'T3@0',
    'a call shown without outcome',
    [kit.finalResponse({ texts: ['Hi.'], outcomes: kit.shownCall(flow.weather) })],
  ],
  [
    'T3@0',
    'two calls shown before their outcomes',
    [
      kit.finalResponse({
        outcomes: [
          ...kit.shownCall(flow.weather),
          ...kit.shownCall(flow.search),
          kit.output('w'),
          kit.output('a'),
        ],
      }),
    ],
  ],
  [
    'T3@1',
    'a call shown a second time before its outcome',
    [
      firstQuestion,
      kit.finalResponse({ ...yes('a'), outcomes: [...kit.shownCall(flow.search), kit.output('a')] }),
    ],
  ],
  [
    'T3@0',
    'an automatic approval without its response',
    [
      kit.finalResponse({
        outcomes: [
          ...kit.shownCall(flow.weather),
          ...kit.automaticApproval('w').slice(0, 1),
          kit.output('w'),
        ],
      }),
    ],
  ],
  ['T3@0', 'a text block that does not end', [without(kit.finalResponse({ texts: ['Hi.'] }), 'text-end')]],
  ['T3@0', 'a text block that never began', [without(kit.finalResponse({ texts: ['Hi.'] }), 'text-start')]],
  [
    'T3@0',
    'a step run again in a turn that holds everything back',
    [before(kit.finalResponse({ texts: ['Hi.'] }), 'finish-step', { type: 'reset-step' })],
  ],
  [
    'T3@2',
    'a turn that continues after its end',
    [
      firstQuestion,
      kit.finalResponse({ ...yes('a'), outcomes: [kit.output('a')] }),
      kit.finalResponse({ texts: ['And.'] }),
    ],
  ],
  ['T3@1', 'a whole turn without an end', [firstQuestion, secondQuestion], { finished: true }],
  [
    'T3@0',
    "a client tool's settled call that would fire onToolCall",
    [kit.finalResponse({ outcomes: [...kit.shownCall(flow.locate), kit.failure('g')] })],
    { clientTools: ['get_location'] },
  ],
];
