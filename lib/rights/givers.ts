import { errorPlace, isPrincipal, type Person, type Principal } from '../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { answerOfPerson } from './recorded-answers.ts';

/**
 * A claim that a person lets another one use their right to answer. Whether that person has a right is decided by the kernel's rules.
 *
 * @source ADR 0056.17
 */
export type Giver = {
  /** Whose right it is, with the current id. */
  readonly person: Person;
  readonly covers: (question: RuledQuestion) => boolean;
  /** The person as they are now. Any other person counts as none. */
  readonly current: () => Promise<Principal | undefined>;
};

/**
 * The people who let this principal use their right now, in the order in which they are tried.
 *
 * @param isFresh true if it must know what other instances have recorded before the call
 */
export type FindGivers = (principal: Principal, isFresh: boolean) => Promise<readonly Giver[]>;

/** The settings of a flow, with the claims of its plugins. Without them, people have only their own rights. */
export type RightsSettings = FlowSettings & { readonly givers?: readonly FindGivers[] };

/** All claims for a principal. @see FindGivers */
export async function giversTo(
  { givers = [] }: RightsSettings,
  principal: Principal,
  isFresh = false,
): Promise<readonly Giver[]> {
  const found = await Promise.all(givers.map((find) => find(principal, isFresh)));
  return found.flat();
}

/** The people whose right this principal may use. A person who has answered has used theirs. A failing plugin adds none. */
export async function* giversFor(
  settings: RightsSettings,
  principal: Principal,
  question: RuledQuestion,
): AsyncGenerator<Principal> {
  const { id: approvalId, chatId, answers = [] } = question;
  try {
    for (const { person, covers, current } of await giversTo(settings, principal)) {
      if (!covers(question) || answerOfPerson(settings, answers, person)) continue;
      const giver = await current();
      if (isPrincipal(giver) && giver.id === person.id) yield giver;
    }
  } catch (error) {
    const facts = { approvalId, chatId, error: errorPlace(error) };
    settings.logger?.error('The rights that people let others use could not be read. None counts.', facts);
  }
}

/** Whether a person still lets this principal answer such a question for them, on any instance. */
export async function isGivenBy(
  settings: RightsSettings,
  giver: Person,
  principal: Principal,
  question: RuledQuestion,
): Promise<boolean> {
  const givers = await giversTo(settings, principal, true);
  return givers.some(({ person, covers }) => person.id === giver.id && covers(question));
}

/** The same settings for the questions of one list: claims are read once. */
export function withSharedGivers(settings: RightsSettings): RightsSettings {
  const shared = settings.givers?.map((find): FindGivers => {
    const known = new Map<string, ReturnType<FindGivers>>();
    return (principal, isFresh) => {
      const found = known.get(principal.id) ?? find(principal, isFresh);
      known.set(principal.id, found);
      return found;
    };
  });
  return shared?.length ? { ...settings, givers: shared } : settings;
}
