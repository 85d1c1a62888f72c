import {
  automaticApproval,
  failure,
  finalResponse,
  lifecycle,
  output,
  response,
  shownCall,
  text,
} from '../../../lib/testing/index.ts';
import type { Planted } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { approvedEnd, before, ending, endingWith, firstQuestion, only, saysHi, secondQuestion, yes } = flow;
const [a, b, w] = [output('a'), output('b'), output('w')];
const preliminary = { type: 'tool-output-available', toolCallId: 'a', output: 1, preliminary: true } as const;
const reported = [lifecycle('w', 'requested'), lifecycle('a', 'requested')];

/** Faults in final responses (T3). */
export const plantedEndings: Planted[] = [
  ['T3@2', 'outcomes before the text', endingWith(a, b, ...text('Done.'))],
  ['T3@2', 'text between the outcomes', endingWith(a, ...text('Done.'), b)],
  ['T3@2', 'an outcome that is missing', endingWith(...text('Done.'), b)],
  ['T3@2', 'outcomes out of order', endingWith(b, a)],
  [
    'T3@1',
    'outcomes out of the order that lifecycles report',
    [before(firstQuestion, 'finish-step', ...reported), approvedEnd(a, ...shownCall(flow.weather), w)],
  ],
  ['T3@2', 'the same outcome twice', [firstQuestion, secondQuestion, before(ending, 'finish-step', b)]],
  [
    'T3@2',
    'a preliminary output',
    [firstQuestion, secondQuestion, before(ending, 'tool-output-available', preliminary)],
  ],
  ['T3@0', 'an outcome of a call never shown', only(w)],
  [
    'T3@0',
    'a call shown without outcome',
    [finalResponse({ texts: ['Hi.'], outcomes: shownCall(flow.weather) })],
  ],
  [
    'T3@0',
    'two calls shown before their outcomes',
    only(...shownCall(flow.weather), ...shownCall(flow.search), w, a),
  ],
  [
    'T3@1',
    'a call shown a second time before its outcome',
    [firstQuestion, approvedEnd(...shownCall(flow.search), a)],
  ],
  [
    'T3@0',
    'an automatic approval without its response',
    only(...shownCall(flow.weather), ...automaticApproval('w').slice(0, 1), w),
  ],
  ['T3@0', 'a text block that does not end', [flow.without(saysHi, 'text-end')]],
  ['T3@0', 'a text block that never began', [flow.without(saysHi, 'text-start')]],
  [
    'T3@0',
    'a step run again in a turn that holds everything back',
    [before(saysHi, 'finish-step', { type: 'reset-step' })],
  ],
  [
    'T3@2',
    'a turn that continues after its end',
    [firstQuestion, approvedEnd(a), response({}, text('And.'))],
  ],
  ['T3@1', 'a whole turn without an end', [firstQuestion, secondQuestion], { finished: true }],
  [
    'T3@0',
    "a client tool's settled call that would fire onToolCall",
    only(...shownCall(flow.locate), failure('g')),
    flow.onClient,
  ],
  [
    'T3@1',
    'a failure that keeps a withheld outcome',
    [firstQuestion, flow.brokenOff(finalResponse({ ...yes('a'), texts: ['Hm.'] }), flow.error)],
  ],
];
