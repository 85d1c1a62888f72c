import {
  type ChatHead,
  type ChatId,
  CountersignError,
  type Principal,
  personOf,
  type Question,
} from '../vocabulary/index.ts';
import { detailsOf, toolNamed } from './tool-traits.ts';
import type { FlowSettings, QuestionRights, RuledQuestion } from './types.ts';

/** Whether this principal may see and continue a chat. Default: its owner. */
export function mayAccess(
  settings: FlowSettings,
  principal: Principal,
  chat: { id: ChatId; ownerId: string },
): boolean {
  return settings.mayAccess?.(principal, chat) ?? chat.ownerId === principal.id;
}

/**
 * Whether this principal may answer a question: by the flow's rule and the tool's, of those that there are. Default:
 * the chat's owner.
 *
 * @source ADR 0015
 */
export function mayAnswer(settings: FlowSettings, principal: Principal, question: RuledQuestion): boolean {
  const rules = [settings.mayAnswer, detailsOf(settings, question.toolName).approvers].flatMap(
    (rule) => rule ?? [],
  );
  if (rules.length === 0) return question.ownerId === principal.id;
  return rules.every((rule) => rule(principal, question));
}

/** True when somebody may have to answer who does not own the chat: then questions of all owners are looked at. */
export function hasRules({ mayAnswer, mayAccess, toolDetails = {} }: FlowSettings): boolean {
  const isRuled = Object.values(toolDetails).some((details) => details?.approvers !== undefined);
  return isRuled || mayAnswer !== undefined || mayAccess !== undefined;
}

/** Everything that this principal may do with a question. */
export function rightsTo(settings: FlowSettings, principal: Principal, question: Question): QuestionRights {
  const { toolName, executor, askedBy } = question;
  const answers = mayAnswer(settings, principal, question);
  const isOurs = executor !== 'provider' && toolNamed(settings, toolName) !== undefined;
  const { neverRemember = false } = detailsOf(settings, toolName);
  return {
    mayAnswer: answers,
    mayEdit: answers && isOurs && mayAnswer(settings, principal, editedBy(principal, question)),
    mayRemember: answers && isOurs && !neverRemember && askedBy.id === principal.id,
  };
}

/** The question as the rules see it when this principal answers with arguments of its own. */
export function editedBy(principal: Principal, question: Question, input = question.input): RuledQuestion {
  return { ...question, input, editedBy: personOf(principal) };
}

/** The head of a chat that this principal may see. Others' chats do not exist. @throws CountersignError `not-found` */
export function accessible(
  settings: FlowSettings,
  principal: Principal,
  chatId: ChatId,
  head: ChatHead | undefined,
): ChatHead {
  if (head && mayAccess(settings, principal, head)) return head;
  throw new CountersignError('not-found', `There is no chat ${chatId}.`, { chatId });
}
