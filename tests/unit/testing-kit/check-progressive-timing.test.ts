import type { UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import * as kit from '../../../lib/testing/index.ts';
import * as flow from './timing-flows.ts';

const { before, no, without, yes } = flow;
const nextStep: UIMessageChunk[] = [{ type: 'finish-step' }, { type: 'start-step' }];

const opening = kit.response({}, [
  ...kit.text('Let me look.'),
  ...kit.shownCall(flow.search),
  kit.question('a'),
]);
const middle = kit.response(yes('a'), [
  kit.output('a'),
  ...nextStep,
  ...kit.text('Found 10 users.'),
  ...kit.shownCall(flow.update),
  kit.question('b'),
]);
const ending = kit.response(yes('b'), [kit.output('b'), ...nextStep, ...kit.text('Database updated.')]);
const turn = [opening, middle, ending];

function broken(responses: UIMessageChunk[][], options: kit.TimingOptions = {}): string[] {
  const found = kit.checkResponseTiming(responses, { release: 'progressive', ...options });
  return [...new Set(found.map(({ rule, response }) => `${rule}@${response}`))];
}

const soundTurns: flow.Sound[] = [
  ['two approvals with text and outputs as they happen', turn, { finished: true }],
  ['a turn that still waits', [opening, middle]],
  ['a denial', [opening, kit.response(no('a'), [kit.denial('a'), ...nextStep, ...kit.text('Then not.')])]],
  [
    'an ungated call with a preliminary output, before the question of another',
    [
      kit.response({}, [
        ...kit.shownCall(flow.weather),
        { type: 'tool-output-available', toolCallId: 'w', output: 1, preliminary: true },
        kit.output('w'),
        ...kit.shownCall(flow.search),
        kit.question('a'),
      ]),
    ],
  ],
  [
    'a step that is run again',
    [kit.response({}, [...kit.shownCall(flow.weather), { type: 'reset-step' }, ...kit.text('Hello.')])],
  ],
  [
    'a call handed to the client, last',
    [
      kit.response({}, [...kit.text('Where?'), ...kit.shownCall(flow.locate)]),
      kit.response({}, kit.text('Tokyo.')),
    ],
    { clientTools: ['get_location'] },
  ],
];

const planted: flow.Planted[] = [
  ['T11@0', 'text behind the question', [before(opening, 'finish-step', ...kit.text('Please.', 'late'))]],
  [
    'T11@0',
    'two questions at once',
    [before(opening, 'finish-step', ...kit.shownCall(flow.update), kit.question('b'))],
  ],
  [
    'T11@1',
    'a gated call shown before the response that asks for it',
    [
      kit.response({}, [
        ...kit.shownCall(flow.update),
        kit.output('b'),
        ...kit.shownCall(flow.search),
        kit.question('a'),
      ]),
      kit.response(yes('a'), [kit.output('a'), kit.question('b')]),
    ],
  ],
  ['T11@0', 'a question about a call that is not shown', [kit.response({}, [kit.question('a')])]],
  [
    'T11@0',
    'a server call without an outcome',
    [kit.response({}, [...kit.shownCall(flow.weather), ...kit.text('Hi.')])],
  ],
  [
    'T11@1',
    'an approved call without outcome at the end',
    [opening, kit.response(yes('a'), kit.text('Hi.'))],
  ],
  ['T11@0', 'an answer to no question', [kit.response(yes('z'), kit.text('Hi.'))]],
  [
    'T11@1',
    'two outcomes of one call',
    [opening, kit.response(yes('a'), [kit.output('a'), kit.output('a')])],
  ],
  [
    'T11@0',
    'a part between two steps',
    [before(kit.finalResponse({ texts: ['Hi.'] }), 'finish', ...kit.text('Late.', 'late'))],
  ],
  ['T11@0', 'a response that does not end', [without(opening, 'finish')]],
  ['T11@1', 'a whole turn without an end', [opening, middle], { finished: true }],
  [
    'T13@0',
    'a call handed to the client before other parts',
    [kit.response({}, [...kit.shownCall(flow.locate), ...kit.text('Where?')])],
    { clientTools: ['get_location'] },
  ],
  [
    'T4@1',
    'a new message id',
    [opening, kit.response({ ...yes('a'), messageId: 'other' }, [kit.output('a')])],
  ],
  ['T5@0', 'no step', [kit.response({}, kit.text('Hi.')).filter((chunk) => chunk.type !== 'start-step')]],
  [
    'T6@0',
    'a draft that enters the message',
    [before(opening, 'text-start', { type: 'data-draft', data: 1 })],
  ],
  [
    'T7@0',
    'a call that runs before it is approved',
    [before(opening, 'finish', kit.lifecycle('a', 'started'))],
  ],
  ['T8@1', 'an output of a denied call', [opening, kit.response(no('a'), [kit.output('a')])]],
  ['T15@1', 'an empty response', [opening, kit.response(yes('a'), [])]],
];

describe('checkResponseTiming of a progressive turn', () => {
  it.each(soundTurns)('finds nothing in %s', (_title, responses, options) => {
    expect(kit.checkResponseTiming(responses, { release: 'progressive', ...options })).toEqual([]);
  });

  it.each(planted)('%s: detects %s', (rule, _title, responses, options) => {
    expect(broken(responses, options)).toContain(rule);
    expect(broken(responses, options).every((found) => found === rule || found.startsWith('T11'))).toBe(true);
  });

  it('is a different contract from the default: each finds faults in the turns of the other', () => {
    expect(kit.checkResponseTiming(turn).map(({ rule }) => rule)).toContain('T1');
    expect(broken(flow.twoApprovals)).toEqual([]);
  });
});
