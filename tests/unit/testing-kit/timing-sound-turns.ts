import {
  automaticApproval,
  denial,
  draft,
  failure,
  finalResponse,
  handOverResponse,
  lifecycle,
  output,
  questionResponse,
  reasoning,
  response,
  shownCall,
  text,
} from '../../../lib/testing/index.ts';
import type { Sound } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { abort, approvedEnd, before, ending, error, firstQuestion, no, only, onClient, secondQuestion, yes } =
  flow;
const [a, b] = [output('a'), output('b')];
const note = { type: 'data-note', data: 1 } as const;
const invalid = {
  type: 'tool-input-error',
  toolCallId: 'x',
  toolName: 'strict',
  input: '',
  errorText: 'bad',
} as const;
const cancelled = {
  type: 'tool-output-error',
  toolCallId: 'g',
  errorText: 'cancelled',
  providerExecuted: true,
} as const;
const tokyo = finalResponse({ texts: ['Tokyo.'] });
const requested = [lifecycle('a', 'requested'), draft('Let ')];
const ran = [lifecycle('a', 'started'), lifecycle('a', 'completed')];

/** Turns that break no rule. */
export const soundTurns: Sound[] = [
  ['two approvals, one question a response', flow.twoApprovals, { finished: true }],
  ['a turn that still waits for an answer', [firstQuestion, secondQuestion]],
  [
    'data parts: transient ones anywhere, and others with the text',
    [
      before(firstQuestion, 'finish-step', { ...note, transient: true }),
      before(approvedEnd(a), 'tool-output-available', note),
    ],
  ],
  [
    'answers that other readers gave away from the stream',
    [firstQuestion, questionResponse(flow.update), ending],
  ],
  [
    'a denial of the first of two',
    [
      firstQuestion,
      questionResponse(flow.update, no('a')),
      finalResponse({ ...yes('b'), texts: ['Half done.'], outcomes: [denial('a'), b] }),
    ],
  ],
  [
    'a failed call and one that ran without asking',
    [firstQuestion, approvedEnd(failure('a'), ...shownCall(flow.weather), output('w'))],
  ],
  [
    'an automatic denial shown right before its outcome',
    only(...shownCall(flow.weather), ...automaticApproval('w', false), denial('w')),
  ],
  ['invalid input as its own outcome', [finalResponse({ texts: ['Sorry.'], outcomes: [invalid] })]],
  ['a turn in which nothing was asked', [flow.saysHi]],
  [
    'transient drafts and lifecycles between the parts',
    [
      before(firstQuestion, 'start-step', ...requested),
      before(secondQuestion, 'tool-input-available', ...ran),
      before(ending, 'tool-output-available', lifecycle('b', 'started'), draft('me')),
    ],
  ],
  [
    'reasoning and sources among the text',
    [response({}, [...reasoning('Hm.'), flow.source, ...text('Hello.')])],
  ],
  ['a gated tool of the client, whose output came along', [questionResponse(flow.locate), tokyo], onClient],
  [
    'a gated tool of the client, denied',
    [questionResponse(flow.locate), finalResponse({ ...no('g'), outcomes: [denial('g')] })],
    onClient,
  ],
  ['an ungated tool of the client, handed over', [handOverResponse(flow.locate), tokyo], onClient],
  [
    "a client tool's call that the server settled",
    only(...shownCall({ ...flow.locate, providerExecuted: true }), cancelled),
    onClient,
  ],
  ['an error as the whole first response', [[{ type: 'start', messageId: 'message-1' }, error]]],
  ['a stop before the first word', [[{ type: 'start', messageId: 'message-1' }, abort]]],
  [
    'a failure after everything withheld was released',
    [firstQuestion, flow.brokenOff(approvedEnd(a), error)],
  ],
];
