import { answerQuestion } from '../commands/answer/answer-question.ts';
import { createPreviews } from '../commands/answer/preview-question.ts';
import { resolveByPerson } from '../commands/resolve-outcome.ts';
import type { Engine } from '../run/engine.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import type { QuestionMarker } from '../views/questions/question-marks.ts';
import type { Approvals } from './methods/approvals.ts';
import { createQuestionReads } from './read-questions.ts';

export function createApprovals(
  engine: Engine,
  given: { readonly marks: QuestionMarker; readonly cursors: Cursors },
): Approvals {
  return {
    ...createQuestionReads(engine, given),
    answer: (request) => answerQuestion(engine, request),
    preview: createPreviews(engine),
    resolveOutcome: (request) => resolveByPerson(engine, request),
  };
}
