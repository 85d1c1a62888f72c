import {
  type AnswerRule,
  type Delegation,
  errorPlace,
  type Person,
  type Principal,
  personOf,
} from '../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { idNow } from '../settings/former-ids.ts';
import { personNow } from './directory.ts';
import { voteOfPerson } from './votes.ts';

/** The rule by which a person may answer a question, and by whose right: their own, or that of the person who delegated it. */
export type RightUsed = { readonly rule: AnswerRule; readonly onBehalfOf?: Person };

/** The settings of a flow that knows its delegations. Without them, everybody has only their own rights. */
export type RuledSettings = FlowSettings & {
  readonly delegated?: { live(): Promise<readonly Delegation[]> };
};

/** The delegations to a person that have neither ended nor been revoked, oldest first. */
export async function delegationsTo(
  settings: RuledSettings,
  principal: Principal,
): Promise<readonly Delegation[]> {
  const id = idNow(settings, principal.id);
  const live = (await settings.delegated?.live()) ?? [];
  return live.filter(({ to }) => idNow(settings, to.id) === id);
}

/**
 * The right that a person has for a question through a delegation. The oldest delegation counts whose giver could answer this
 * question now, as the directory knows them now. What was delegated to the giver does not count. The asker of a question never
 * answers it, by anybody's right.
 *
 * For edited arguments, the giver must be allowed to approve them as if they had written them, and as what their author wrote.
 *
 * @param ruleFor the rule by which a person may answer by their own right
 * @source ADR 0049
 */
export async function delegatedRight(
  settings: RuledSettings,
  principal: Principal,
  question: RuledQuestion,
  ruleFor: (giver: Principal, question: RuledQuestion) => Promise<AnswerRule | undefined>,
): Promise<RightUsed | undefined> {
  const isAsker = idNow(settings, question.askedBy.id) === idNow(settings, principal.id);
  if (!settings.delegated || isAsker) return undefined;
  for (const delegation of await candidates(settings, principal, question)) {
    const giver = await personNow(settings, delegation.from.id);
    const rule = giver && (await ruleFor(giver, question));
    if (!rule) continue;
    const { editedBy } = question;
    if (editedBy && !(await ruleFor(giver, { ...question, editedBy: personOf(giver) }))) continue;
    return { rule, onBehalfOf: personOf(giver) };
  }
  return undefined;
}

/** A giver who has voted, or for whom somebody has voted, has used the right. Without the list of delegations, nobody answers for somebody else. */
async function candidates(
  settings: RuledSettings,
  principal: Principal,
  { id: approvalId, chatId, toolName, votes }: RuledQuestion,
): Promise<readonly Delegation[]> {
  try {
    const found = await delegationsTo(settings, principal);
    const isUnused = ({ from }: Delegation) => !voteOfPerson(settings, votes?.cast ?? [], from);
    return found.filter(({ toolNames = [toolName] }) => toolNames.includes(toolName)).filter(isUnused);
  } catch (error) {
    const facts = { approvalId, chatId, error: errorPlace(error) };
    settings.logger?.error('The delegations could not be read. None counts.', facts);
    return [];
  }
}
