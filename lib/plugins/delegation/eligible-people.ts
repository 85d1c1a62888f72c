import { type Principal, personOf } from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import { hasAnswered } from '../../rights/recorded-answers.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import { isAsker, ruledQuestion } from '../../rights/ruled-question.ts';
import type { Engine } from '../../run/engine.ts';
import type { AddDetails } from '../../run/hooks.ts';
import type { Eligible } from './client/eligible.ts';
import type { Directory } from './directory.ts';

/** How many people are named. */
const mostNamed = 20;
/** How many people of the directory are considered. */
const mostConsidered = 100;
const judgedAtOnce = 8;

/**
 * Who may answer an open question now: people of the directory whom the rules allow to, and who have not voted. The asker of a
 * question does not get them, unless the flow shows them (`showApproversToAsker`).
 *
 * @returns nothing if the directory has no answer
 * @source ADR 0049
 */
export function eligiblePeople({
  settings,
  directory,
  showApproversToAsker = false,
}: {
  readonly settings: Engine['settings'];
  readonly directory: Directory;
  readonly showApproversToAsker?: boolean | undefined;
}): AddDetails {
  return async (reader, question) => {
    if (question.state !== 'open') return undefined;
    if (!showApproversToAsker && isAsker(settings, reader, question)) return undefined;
    const found = await directory.find({
      question: ruledQuestion(settings, question),
      limit: mostConsidered,
    });
    if (!found) return undefined;
    const eligible: Principal[] = [];
    for (let from = 0; from < found.length && eligible.length <= mostNamed; from += judgedAtOnce) {
      const some = found.slice(from, from + judgedAtOnce);
      const may = await mapInParallel(
        some,
        judgedAtOnce,
        async (person) =>
          !hasAnswered(settings, person, question) && (await mayAnswer(settings, person, question)),
      );
      eligible.push(...some.filter((_person, index) => may[index]));
    }
    const isMore = eligible.length > mostNamed || found.length === mostConsidered;
    const named = eligible.slice(0, mostNamed).map(personOf);
    return { eligible: named, othersEligible: isMore ? true : undefined } satisfies Eligible;
  };
}
