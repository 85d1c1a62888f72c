import * as kit from '../../../lib/testing/index.ts';
import type { Planted } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { before, ending, firstQuestion, secondQuestion, without, yes } = flow;

/** Faults in responses that ask (T1, T2). */
export const plantedQuestions: Planted[] = [
  [
    'T1@0',
    'text before the first question',
    [before(firstQuestion, 'tool-input-start', ...kit.text('Let me.'))],
  ],
  ['T1@0', 'text behind the first question', [before(firstQuestion, 'finish-step', ...kit.text('Please.'))]],
  [
    'T1@0',
    'reasoning before the first question',
    [before(firstQuestion, 'tool-input-start', ...kit.reasoning('Hm.'))],
  ],
  [
    'T1@0',
    'a source before the first question',
    [
      before(firstQuestion, 'tool-input-start', {
        type: 'source-url',
        sourceId: 's',
        url: 'https://example.com/',
      }),
    ],
  ],
  [
    'T1@0',
    'an ungated call and its output beside the first question',
    [before(firstQuestion, 'tool-input-start', ...kit.shownCall(flow.weather), kit.output('w'))],
  ],
  [
    'T1@0',
    'a second call shown beside the first question',
    [before(firstQuestion, 'finish-step', ...kit.shownCall(flow.update))],
  ],
  [
    'T1@0',
    'two questions at once',
    [before(firstQuestion, 'finish-step', ...kit.shownCall(flow.update), kit.question('b'))],
  ],
  ['T1@0', 'a question whose call is not shown whole', [without(firstQuestion, 'tool-input-start')]],
  [
    'T1@0',
    'an answer before anything was asked',
    [
      before(firstQuestion, 'tool-input-start', {
        type: 'tool-approval-response',
        approvalId: 'approval-a',
        approved: true,
      }),
    ],
  ],
  ['T1@0', 'a question that does not end', [without(firstQuestion, 'finish')]],
  [
    'T1@0',
    'a question in a second step',
    [before(firstQuestion, 'tool-input-start', { type: 'finish-step' }, { type: 'start-step' })],
  ],
  [
    'T1@0',
    'a finish reason that stops clients from sending',
    [firstQuestion.with(-1, { type: 'finish', finishReason: 'interrupted' })],
  ],
  [
    'T2@1',
    'the output of the call just approved',
    [firstQuestion, before(secondQuestion, 'tool-input-start', kit.output('a')), ending],
  ],
  [
    'T2@1',
    'text before the second question',
    [firstQuestion, before(secondQuestion, 'tool-input-start', ...kit.text('Found.')), ending],
  ],
  [
    'T2@1',
    'the output of an ungated call beside the second question',
    [
      firstQuestion,
      before(secondQuestion, 'tool-input-start', ...kit.shownCall(flow.weather), kit.output('w')),
      ending,
    ],
  ],
  ['T2@1', 'the same question again', [firstQuestion, kit.questionResponse(flow.search, yes('a'))]],
  ['T2@1', "another question's answer", [firstQuestion, kit.questionResponse(flow.update, yes('z'))]],
  [
    'T2@1',
    'an answer behind the question',
    [
      firstQuestion,
      before(kit.questionResponse(flow.update), 'finish-step', {
        type: 'tool-approval-response',
        approvalId: 'approval-a',
        approved: true,
      }),
    ],
  ],
  [
    'T2@1',
    "a client tool's approval repeated behind its output",
    [kit.questionResponse(flow.locate), kit.questionResponse(flow.update, yes('g'))],
    { clientTools: ['get_location'] },
  ],
];
