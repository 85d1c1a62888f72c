import {
  automaticApproval,
  denial,
  draft,
  lifecycle,
  output,
  questionResponse,
  reasoning,
  response,
  shownCall,
  text,
} from '../../../lib/testing/index.ts';
import type { Planted } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const {
  abort,
  approvedEnd,
  before,
  deniedEnd,
  error,
  firstQuestion,
  firstThen,
  saysHi,
  secondQuestion,
  without,
} = flow;
const a = output('a');
const file = { type: 'file', mediaType: 'text/plain', url: 'data:,' } as const;
const note = { type: 'data-note', data: 1 } as const;
const started = lifecycle('a', 'started');
const completed = lifecycle('a', 'completed', { output: 1 });

/** Faults that any response can have (T4-T8, T15, T16). */
export const plantedFrames: Planted[] = [
  [
    'T4@1',
    'a new message id',
    [firstQuestion, questionResponse(flow.update, { ...flow.yes('a'), messageId: 'message-2' })],
  ],
  ['T4@0', 'no message id', [firstQuestion.with(0, { type: 'start' })]],
  ['T4@1', 'no start', [firstQuestion, without(secondQuestion, 'start')]],
  ['T5@1', 'no step before the question', [firstQuestion, without(secondQuestion, 'start-step')]],
  ['T5@0', 'text before the step', [before(saysHi, 'start-step', file)]],
  ['T6@0', 'data that enters the message', firstThen(note)],
  ['T6@1', 'data after an outcome', [firstQuestion, before(approvedEnd(a), 'finish-step', note)]],
  [
    'T6@1',
    'an output within a lifecycle report',
    [firstQuestion, before(secondQuestion, 'finish-step', completed)],
  ],
  ['T7@0', 'a call that runs before it is approved', firstThen(started)],
  [
    'T8@1',
    'a denied call that runs',
    [firstQuestion, before(deniedEnd(denial('a')), 'finish-step', started)],
  ],
  ['T8@1', 'an output of a denied call', [firstQuestion, deniedEnd(a)]],
  [
    'T8@1',
    'an output of a call denied elsewhere',
    [firstQuestion, ...flow.only(a)],
    { answers: { 'approval-a': false } },
  ],
  ['T8@1', 'a denial of an approved call', [firstQuestion, approvedEnd(denial('a'))]],
  [
    'T8@0',
    'an output behind an automatic denial',
    flow.only(...shownCall(flow.weather), ...automaticApproval('w', false), output('w')),
  ],
  ['T15@0', 'an empty response', [response({}, [])]],
  ['T15@0', 'nothing but reasoning', [response({}, reasoning('Hm.'))]],
  ['T15@0', 'nothing but empty text', [response({}, text(''))]],
  ['T15@0', 'nothing but a draft', [response({}, [draft('Hi')])]],
  ['T15@0', 'two errors', [[{ type: 'start', messageId: 'message-1' }, error, error]]],
  ['T16@0', 'an error before the end', [before(saysHi, 'finish-step', error)]],
  ['T16@0', 'an abort before the end', [before(saysHi, 'finish', abort)]],
];
