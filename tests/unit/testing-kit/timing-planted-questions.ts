import {
  output,
  question,
  questionResponse,
  reasoning,
  shownCall,
  text,
} from '../../../lib/testing/index.ts';
import type { Planted } from './timing-flows.ts';
import * as flow from './timing-flows.ts';

const { answerToFirst, before, firstAfter, firstQuestion, firstThen, secondAfter, without, yes } = flow;
const unasked = [...shownCall(flow.weather), output('w')];
const interrupted = { type: 'finish', finishReason: 'interrupted' } as never;

/** Faults in responses that ask (T1, T2). */
export const plantedQuestions: Planted[] = [
  ['T1@0', 'text before the first question', firstAfter(...text('Let me.'))],
  ['T1@0', 'text behind the first question', firstThen(...text('Please.'))],
  ['T1@0', 'reasoning before the first question', firstAfter(...reasoning('Hm.'))],
  ['T1@0', 'a source before the first question', firstAfter(flow.source)],
  ['T1@0', 'an ungated call and its output beside the first question', firstAfter(...unasked)],
  ['T1@0', 'a second call shown beside the first question', firstThen(...shownCall(flow.update))],
  ['T1@0', 'two questions at once', firstThen(...shownCall(flow.update), question('b'))],
  ['T1@0', 'a question whose call is not shown whole', [without(firstQuestion, 'tool-input-start')]],
  ['T1@0', 'an answer before anything was asked', firstAfter(answerToFirst)],
  ['T1@0', 'a question that does not end', [without(firstQuestion, 'finish')]],
  ['T1@0', 'a question in a second step', firstAfter({ type: 'finish-step' }, { type: 'start-step' })],
  ['T1@0', 'a finish reason that stops clients from sending', [firstQuestion.with(-1, interrupted)]],
  ['T2@1', 'the output of the call just approved', secondAfter(output('a'))],
  ['T2@1', 'text before the second question', secondAfter(...text('Found.'))],
  ['T2@1', 'the output of an ungated call beside the second question', secondAfter(...unasked)],
  ['T2@1', 'the same question again', [firstQuestion, questionResponse(flow.search, yes('a'))]],
  ['T2@1', "another question's answer", [firstQuestion, questionResponse(flow.update, yes('z'))]],
  [
    'T2@1',
    'an answer behind the question',
    [firstQuestion, before(questionResponse(flow.update), 'finish-step', answerToFirst)],
  ],
  [
    'T2@1',
    "a client tool's approval repeated behind its output",
    [questionResponse(flow.locate), questionResponse(flow.update, yes('g'))],
    flow.onClient,
  ],
];
