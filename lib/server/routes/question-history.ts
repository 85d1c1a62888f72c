import { z } from 'zod';
import { personSchema } from '../../protocol/wire/person.ts';
import { questionStateSchema } from '../../protocol/wire/question.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { QuestionView } from '../../rights/question-rights.ts';
import { isoTime } from '../errors.ts';

export const questionStepSchema = z.object({
  state: questionStateSchema,
  at: timeSchema.optional(),
  by: personSchema.optional(),
  via: z.string().optional(),
});

type QuestionStep = z.infer<typeof questionStepSchema>;

/** The states a question went through, oldest first. A withdrawal keeps no time of its own. @source H9 */
export function questionHistory(question: QuestionView): QuestionStep[] {
  const asked: QuestionStep = { state: 'open', at: isoTime(question.requestedAt), by: question.askedBy };
  if (question.state === 'open') return [asked];
  if (!question.answer) return [asked, { state: question.state }];
  const { at, by, via } = question.answer;
  return [asked, { state: question.state, at: isoTime(at), by, via }];
}
