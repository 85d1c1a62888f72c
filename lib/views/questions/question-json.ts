import { encode } from '../../protocol/wire/codec.ts';
import { type QuestionJson, questionSchema } from '../../protocol/wire/question.ts';
import type { QuestionView } from '../../rights/question-rights.ts';

/** The wire form of a question. @source S4 */
export function questionJson(question: QuestionView): QuestionJson {
  return encode(questionSchema, question);
}
