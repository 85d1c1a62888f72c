import { type JsonValue, type Principal, personOf, type Question } from '../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { currentId, withCurrentId } from '../settings/former-ids.ts';

/**
 * A question as rules see it, with people's current ids: a person may not approve what they asked for under a former one.
 *
 * @source ADR 0012
 */
export function ruledQuestion(settings: FlowSettings, question: RuledQuestion): RuledQuestion {
  const ruled = asItRuns(question);
  if (!settings.formerIds) return ruled;
  const { ownerId, askedBy, editedBy, answers } = ruled;
  return {
    ...ruled,
    answers: answers?.map((answer) => ({ ...answer, by: withCurrentId(settings, answer.by) })),
    ownerId: currentId(settings, ownerId),
    askedBy: withCurrentId(settings, askedBy),
    editedBy: editedBy && withCurrentId(settings, editedBy),
  };
}

/** Rules see the arguments that the tool would receive, not the ones that the model wrote. @source ADR 0020 */
function asItRuns({ runsAs, ...question }: RuledQuestion): RuledQuestion {
  return runsAs === undefined ? question : { ...question, input: runsAs };
}

/** Whether this principal asked for the call of a question, under any of its ids. */
export function isAsker(
  settings: FlowSettings,
  principal: Principal,
  { askedBy }: Pick<Question, 'askedBy'>,
): boolean {
  return currentId(settings, askedBy.id) === principal.id;
}

/** The question with other arguments. @param input those that the tool would receive, redacted */
export function withInput({ runsAs: _runsAs, ...question }: Question, input: JsonValue): RuledQuestion {
  return { ...question, input };
}

/** The question as rules see it with edited arguments. @param input what the tool would receive, redacted */
export function editedBy(principal: Principal, question: Question, input?: JsonValue): RuledQuestion {
  const edited = input === undefined ? asItRuns(question) : withInput(question, input);
  return { ...edited, editedBy: personOf(principal) };
}
