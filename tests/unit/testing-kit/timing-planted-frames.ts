import * as kit from '../../../lib/testing/index.ts';
import type { Planted } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { abort, before, brokenOff, error, firstQuestion, no, secondQuestion, without, yes } = flow;

/** Faults that any response can have (T3-T8, T15, T16). */
export const plantedFrames: Planted[] = [
  [
    'T4@1',
    'a new message id',
    [firstQuestion, kit.questionResponse(flow.update, { ...yes('a'), messageId: 'message-2' })],
  ],
  ['T4@0', 'no message id', [firstQuestion.with(0, { type: 'start' })]],
  ['T4@1', 'no start', [firstQuestion, without(secondQuestion, 'start')]],
  ['T5@1', 'no step before the question', [firstQuestion, without(secondQuestion, 'start-step')]],
  [
    'T5@0',
    'text before the step',
    [
      before(kit.finalResponse({ texts: ['Hi.'] }), 'start-step', {
        type: 'file',
        mediaType: 'text/plain',
        url: 'data:,',
      }),
    ],
  ],
  [
    'T6@0',
    'data that enters the message',
    [before(firstQuestion, 'finish-step', { type: 'data-note', data: 1 })],
  ],
  [
    'T6@1',
    'data after an outcome',
    [
      firstQuestion,
      before(kit.finalResponse({ ...yes('a'), outcomes: [kit.output('a')] }), 'finish-step', {
        type: 'data-note',
        data: 1,
      }),
    ],
  ],
  [
    'T6@1',
    'an output within a lifecycle report',
    [firstQuestion, before(secondQuestion, 'finish-step', kit.lifecycle('a', 'completed', { output: 1 }))],
  ],
  [
    'T7@0',
    'a call that runs before it is approved',
    [before(firstQuestion, 'finish-step', kit.lifecycle('a', 'started'))],
  ],
  [
    'T8@1',
    'a denied call that runs',
    [
      firstQuestion,
      before(
        kit.finalResponse({ ...no('a'), outcomes: [kit.denial('a')] }),
        'finish-step',
        kit.lifecycle('a', 'started'),
      ),
    ],
  ],
  [
    'T8@1',
    'an output of a denied call',
    [firstQuestion, kit.finalResponse({ ...no('a'), outcomes: [kit.output('a')] })],
  ],
  [
    'T8@1',
    'an output of a call denied elsewhere',
    [firstQuestion, kit.finalResponse({ outcomes: [kit.output('a')] })],
    { answers: { 'approval-a': false } },
  ],
  [
    'T8@1',
    'a denial of an approved call',
    [firstQuestion, kit.finalResponse({ ...yes('a'), outcomes: [kit.denial('a')] })],
  ],
  [
    'T8@0',
    'an output behind an automatic denial',
    [
      kit.finalResponse({
        outcomes: [...kit.shownCall(flow.weather), ...kit.automaticApproval('w', false), kit.output('w')],
      }),
    ],
  ],
  ['T15@0', 'an empty response', [kit.response({}, [])]],
  ['T15@0', 'nothing but reasoning', [kit.response({}, kit.reasoning('Hm.'))]],
  ['T15@0', 'nothing but empty text', [kit.response({}, kit.text(''))]],
  ['T15@0', 'nothing but a draft', [kit.response({}, [kit.draft('Hi')])]],
  ['T15@0', 'two errors', [[{ type: 'start', messageId: 'message-1' }, error, error]]],
  ['T16@0', 'an error before the end', [before(kit.finalResponse({ texts: ['Hi.'] }), 'finish-step', error)]],
  ['T16@0', 'an abort before the end', [before(kit.finalResponse({ texts: ['Hi.'] }), 'finish', abort)]],
  [
    'T3@1',
    'a failure that keeps a withheld outcome',
    [firstQuestion, brokenOff(kit.finalResponse({ ...yes('a'), texts: ['Hm.'] }), error)],
  ],
];
