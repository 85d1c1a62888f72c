import { type JsonValue, type Principal, personOf, type Question } from '../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { asNow, idNow } from '../settings/former-ids.ts';

/** A question as rules see it. */
export function asRuled(settings: FlowSettings, question: RuledQuestion): RuledQuestion {
  return byIdsOfNow(settings, asItRuns(question));
}

/**
 * Rules see the arguments that the tool would receive, not the ones that the model wrote.
 *
 * @source ADR 0020
 */
function asItRuns({ runsAs, ...question }: RuledQuestion): RuledQuestion {
  return runsAs === undefined ? question : { ...question, input: runsAs };
}

/**
 * Rules compare current ids: nobody may approve under a new id what they asked for under a former one.
 * @source ADR 0012
 */
function byIdsOfNow(settings: FlowSettings, question: RuledQuestion): RuledQuestion {
  const { ownerId, askedBy, editedBy, votes } = question;
  return {
    ...question,
    ...(votes && {
      votes: { ...votes, cast: votes.cast.map((vote) => ({ ...vote, by: asNow(settings, vote.by) })) },
    }),
    ownerId: idNow(settings, ownerId),
    askedBy: asNow(settings, askedBy),
    ...(editedBy && { editedBy: asNow(settings, editedBy) }),
  };
}

/** Whether this principal asked for the call of a question, under any of its ids. */
export function isAsker(
  settings: FlowSettings,
  principal: Principal,
  { askedBy }: Pick<Question, 'askedBy'>,
): boolean {
  return idNow(settings, askedBy.id) === idNow(settings, principal.id);
}

/** The question with other arguments. @param input those that the tool would receive, redacted */
export function withInput({ runsAs: _runsAs, ...question }: Question, input: JsonValue): RuledQuestion {
  return { ...question, input };
}

/**
 * The question as rules see it when this principal answers with edited arguments.
 *
 * @param input the arguments that the tool would receive, redacted. Default: those of the question
 */
export function editedBy(principal: Principal, question: Question, input?: JsonValue): RuledQuestion {
  const edited = input === undefined ? asItRuns(question) : withInput(question, input);
  return { ...edited, editedBy: personOf(principal) };
}
