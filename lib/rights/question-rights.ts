import type { Question, Repeat } from '../protocol/index.ts';
import type { MarksFields, RightsFields } from '../protocol/wire/question.ts';
import type { ContextJson } from '../protocol/wire/question-context.ts';
import type { ResolutionJson } from '../protocol/wire/resolution.ts';

/**
 * What a principal may do with a question. A principal that may not answer may do nothing. `repeatOf` and `earlier` are those of
 * the question, without what only people who may see the chat learn.
 *
 * @source H13
 */
export type QuestionRights = RightsFields & Pick<Question, 'repeatOf' | 'earlier'>;

/** Properties of an open question that are the same for everybody. */
export type QuestionMarks = MarksFields;

/**
 * A question, and what this principal may do with it.
 *
 * `outdated`: the tool has changed since the question was asked. The question can be denied; if it is
 * approved, the person is asked again.
 */
export type QuestionView = Omit<Question, 'repeatOf' | 'earlier'> & QuestionRights & QuestionMarks;

/** The question as a person with these rights sees it. */
export function questionView(question: Question, rights: QuestionRights & QuestionMarks): QuestionView {
  const { repeatOf: _repeatOf, earlier: _earlier, ...shown } = question;
  return { ...shown, ...rights };
}

/**
 * One question. `plugins` says what plugins add for its reader, too. `inputSchema` is the JSON Schema for edited arguments, present
 * with `mayEdit`. `context` says why an open question is asked. `outcome` is what came of the call of an approved question, absent if it did not run. `mayRecord`: it was
 * recorded as unknown, and this principal may record what it is. `resolution` is what became known then.
 */
export type QuestionDetails = QuestionView & {
  readonly inputSchema?: unknown;
  readonly context?: ContextJson;
  readonly outcome?: Repeat['outcome'];
  readonly mayRecord?: true;
  readonly resolution?: ResolutionJson;
};
