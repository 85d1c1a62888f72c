import { type Delegation, errorPlace, type Person, type Principal } from '../../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../../settings/flow-settings.ts';
import { voteOfPerson } from '../votes/votes.ts';
import { findPerson } from './directory.ts';

/** The settings of a flow that knows its delegations. Without them, people have only their own rights. */
export type RightsSettings = FlowSettings & {
  readonly delegated?: { live(): Promise<readonly Delegation[]> };
};

/** The delegations to a person that have neither ended nor been revoked, oldest first. */
export async function delegationsTo(
  settings: RightsSettings,
  principal: Principal,
): Promise<readonly Delegation[]> {
  const live = (await settings.delegated?.live()) ?? [];
  return live.filter(({ to }) => to.id === principal.id);
}

/**
 * The people who let this principal use their right for a question, as the directory knows them now, the oldest delegation
 * first. This is a claim only: whether they have a right is not decided here.
 *
 * @source ADR 0049
 */
export async function* giversTo(
  settings: RightsSettings,
  principal: Principal,
  question: RuledQuestion,
): AsyncGenerator<Principal> {
  for (const { from } of await unusedDelegations(settings, principal, question)) {
    const giver = await findPerson(settings, from.id);
    if (giver) yield giver;
  }
}

function covers({ toolNames }: Delegation, toolName: string): boolean {
  return toolNames === undefined || toolNames.includes(toolName);
}

/** Whether a person still lets this principal answer such a question for them. */
export async function isGivenBy(
  settings: RightsSettings,
  giver: Person,
  principal: Principal,
  { toolName }: Pick<RuledQuestion, 'toolName'>,
): Promise<boolean> {
  const live = await delegationsTo(settings, principal);
  return live.some((one) => one.from.id === giver.id && covers(one, toolName));
}

/** A giver who has voted, or for whom another person has voted, has used the right. Without the list of delegations, people answer only for themselves. */
async function unusedDelegations(
  settings: RightsSettings,
  principal: Principal,
  { id: approvalId, chatId, toolName, votes }: RuledQuestion,
): Promise<readonly Delegation[]> {
  try {
    const found = await delegationsTo(settings, principal);
    const isUnused = ({ from }: Delegation) => !voteOfPerson(settings, votes?.cast ?? [], from);
    return found.filter((one) => covers(one, toolName)).filter(isUnused);
  } catch (error) {
    const facts = { approvalId, chatId, error: errorPlace(error) };
    settings.logger?.error('The delegations could not be read. None counts.', facts);
    return [];
  }
}
