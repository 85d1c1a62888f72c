import { type Principal, personOf, type Question } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { mapInParallel } from '../map-in-parallel.ts';
import type { QuestionDetails } from '../question-rights.ts';
import { mayAnswer } from '../right-to-answer.ts';
import { isAsker, ruledQuestion } from '../ruled-question.ts';
import { hasVoted } from '../votes/votes.ts';
import { findPeople } from './directory.ts';

/** How many people are named. */
const mostNamed = 20;
/** How many people of the directory are considered. */
const mostConsidered = 100;
const judgedAtOnce = 8;

/**
 * Who may answer an open question now: people of the directory whom the rules allow to, and who have not voted. The asker of a
 * question does not get them, unless the flow shows them (`showApproversToAsker`).
 *
 * @returns nothing without a directory, and if it has no answer
 * @source ADR 0049
 */
export async function eligiblePeople(
  settings: FlowSettings,
  reader: Principal,
  question: Question,
): Promise<Pick<QuestionDetails, 'eligible' | 'othersEligible'>> {
  if (question.state !== 'open' || !settings.people) return {};
  if (isAsker(settings, reader, question) && settings.showApproversToAsker !== true) return {};
  const query = { question: ruledQuestion(settings, question), limit: mostConsidered };
  const found = await findPeople(settings, query);
  if (!found) return {};
  const eligible: Principal[] = [];
  for (let from = 0; from < found.length && eligible.length <= mostNamed; from += judgedAtOnce) {
    const some = found.slice(from, from + judgedAtOnce);
    const may = await mapInParallel(
      some,
      judgedAtOnce,
      async (person) =>
        !hasVoted(settings, person, question) && (await mayAnswer(settings, person, question)),
    );
    eligible.push(...some.filter((_person, index) => may[index]));
  }
  const isMore = eligible.length > mostNamed || found.length === mostConsidered;
  return {
    eligible: eligible.slice(0, mostNamed).map(personOf),
    othersEligible: isMore ? true : undefined,
  };
}
