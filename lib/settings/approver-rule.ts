import type { Person, Principal, Question } from '../protocol/index.ts';

/**
 * A question as a rule sees it: with the arguments that the tool would receive, as JSON, redacted for
 * display. For edited arguments, `input` contains the edited ones and `editedBy` names their author.
 *
 * @source ADR 0015, ADR 0020
 */
export type RuledQuestion = Question & { readonly editedBy?: Person };

/**
 * Decides who may answer a question. It is called for every card, list and answer, so it must have no side
 * effects. Only `true`, returned directly or by a promise, counts as permission; a rule that throws or
 * rejects counts as a refusal, and is logged.
 *
 * @source ADR 0015, ADR 0022
 */
export type ApproverRule = (principal: Principal, question: RuledQuestion) => boolean | Promise<boolean>;
