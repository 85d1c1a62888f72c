import {
  type ChatHead,
  type ChatId,
  CountersignError,
  type Principal,
  type Question,
} from '../vocabulary/index.ts';
import { detailsOf, toolNamed } from './tool-traits.ts';
import type { FlowSettings, QuestionRights } from './types.ts';

/** Whether this principal may see and continue a chat. Default: its owner. */
export function mayAccess(
  settings: FlowSettings,
  principal: Principal,
  chat: { id: ChatId; ownerId: string },
): boolean {
  return settings.mayAccess?.(principal, chat) ?? chat.ownerId === principal.id;
}

/** Whether this principal may answer a question. Default: the chat's owner. */
export function mayAnswer(settings: FlowSettings, principal: Principal, question: Question): boolean {
  return settings.mayAnswer?.(principal, question) ?? question.ownerId === principal.id;
}

/** Everything that this principal may do with a question. */
export function rightsTo(settings: FlowSettings, principal: Principal, question: Question): QuestionRights {
  const { toolName, executor, askedBy } = question;
  const answers = mayAnswer(settings, principal, question);
  const isOurs = executor !== 'provider' && toolNamed(settings, toolName) !== undefined;
  const { neverRemember = false } = detailsOf(settings, toolName);
  return {
    mayAnswer: answers,
    mayEdit: answers && isOurs,
    mayRemember: answers && isOurs && !neverRemember && askedBy.id === principal.id,
  };
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
