import * as kit from '../../../lib/testing/index.ts';
import type { Sound } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { abort, before, brokenOff, ending, error, firstQuestion, no, secondQuestion, twoApprovals, yes } =
  flow;

/** Turns that break no rule. */
export const soundTurns: Sound[] = [
  ['two approvals, one question a response', twoApprovals, { finished: true }],
  ['a turn that still waits for an answer', [firstQuestion, secondQuestion]],
  [
    'data parts: transient ones anywhere, and others with the text',
    [
      before(firstQuestion, 'finish-step', { type: 'data-note', transient: true, data: 1 }),
      before(kit.finalResponse({ ...yes('a'), outcomes: [kit.output('a')] }), 'tool-output-available', {
        type: 'data-note',
        data: 2,
      }),
    ],
  ],
  [
    'answers that other readers gave away from the stream',
    [firstQuestion, kit.questionResponse(flow.update), ending],
  ],
  [
    'a denial of the first of two',
    [
      firstQuestion,
      kit.questionResponse(flow.update, no('a')),
      kit.finalResponse({ ...yes('b'), texts: ['Half done.'], outcomes: [kit.denial('a'), kit.output('b')] }),
    ],
  ],
  [
    'a failed call and one that ran without asking',
    [
      firstQuestion,
      kit.finalResponse({
        ...yes('a'),
        outcomes: [kit.failure('a'), ...kit.shownCall(flow.weather), kit.output('w')],
      }),
    ],
  ],
  [
    'an automatic denial shown right before its outcome',
    [
      kit.finalResponse({
        outcomes: [...kit.shownCall(flow.weather), ...kit.automaticApproval('w', false), kit.denial('w')],
      }),
    ],
  ],
  [
    'invalid input as its own outcome',
    [
      kit.finalResponse({
        texts: ['Sorry.'],
        outcomes: [
          { type: 'tool-input-error', toolCallId: 'x', toolName: 'strict', input: '', errorText: 'bad' },
        ],
      }),
    ],
  ],
  ['a turn in which nothing was asked', [kit.finalResponse({ texts: ['Hello.'] })]],
  [
    'transient drafts and lifecycles between the parts',
    [
      before(firstQuestion, 'start-step', kit.lifecycle('a', 'requested'), kit.draft('Let ')),
      before(
        secondQuestion,
        'tool-input-available',
        kit.lifecycle('a', 'started'),
        kit.lifecycle('a', 'completed'),
      ),
      before(ending, 'tool-output-available', kit.lifecycle('b', 'started'), kit.draft('me')),
    ],
  ],
  [
    'reasoning and sources among the text',
    [
      kit.response({}, [
        ...kit.reasoning('Hm.'),
        { type: 'source-url', sourceId: 's', url: 'https://example.com/' },
        ...kit.text('Hello.'),
      ]),
    ],
  ],
  [
    'a gated tool of the client, whose output came along',
    [kit.questionResponse(flow.locate), kit.finalResponse({ texts: ['Tokyo.'] })],
    { clientTools: ['get_location'] },
  ],
  [
    'a gated tool of the client, denied',
    [kit.questionResponse(flow.locate), kit.finalResponse({ ...no('g'), outcomes: [kit.denial('g')] })],
    { clientTools: ['get_location'] },
  ],
  [
    'an ungated tool of the client, handed over',
    [kit.handOverResponse(flow.locate), kit.finalResponse({ texts: ['Tokyo.'] })],
    { clientTools: ['get_location'] },
  ],
  [
    "a client tool's call that the server settled",
    [
      kit.finalResponse({
        outcomes: [
          ...kit.shownCall({ ...flow.locate, providerExecuted: true }),
          { type: 'tool-output-error', toolCallId: 'g', errorText: 'cancelled', providerExecuted: true },
        ],
      }),
    ],
    { clientTools: ['get_location'] },
  ],
  ['an error as the whole first response', [[{ type: 'start', messageId: 'message-1' }, error]]],
  ['a stop before the first word', [[{ type: 'start', messageId: 'message-1' }, abort]]],
  [
    'a failure after everything withheld was released',
    [firstQuestion, brokenOff(kit.finalResponse({ ...yes('a'), outcomes: [kit.output('a')] }), error)],
  ],
];
