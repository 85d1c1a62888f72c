import type { ChatHead } from '../log/store/index.ts';
import {
  type ChatId,
  CountersignError,
  flowLogId,
  type Principal,
  type Question,
} from '../protocol/index.ts';
import { agentOf } from '../settings/agents/agents.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { currentId } from '../settings/former-ids.ts';
import { giversTo, type RightsSettings } from './givers.ts';
import { ruleAllows } from './rule-allows.ts';
import { ruledQuestion } from './ruled-question.ts';

/** Lets an operator pass. @throws CountersignError `not-found` unless `mayOperate` returns `true` */
export async function checkOperator(
  settings: Pick<FlowSettings, 'mayOperate'>,
  principal: Principal,
): Promise<void> {
  if ((await settings.mayOperate?.(principal)) === true) return;
  throw new CountersignError('not-found', 'There is nothing here.');
}

type RuledChat = { readonly id: ChatId; readonly ownerId: string };

/** A chat as rules see it: its owner has the current id. @source ADR 0012 */
export function ruledChat(settings: FlowSettings, chat: RuledChat): RuledChat {
  return { ...chat, ownerId: currentId(settings, chat.ownerId) };
}

function isOwner({ id }: Principal, { ownerId }: RuledChat): boolean {
  return id === ownerId;
}

/** Whether this principal may change a chat: by default its owner. Only `true` counts. @source ADR 0022 */
function mayChange(settings: FlowSettings, principal: Principal, chat: RuledChat): Promise<boolean> {
  const place = { rule: 'mayChange', chatId: chat.id };
  return ruleAllows(settings, place, principal, ruledChat(settings, chat), settings.mayChange ?? isOwner);
}

/** Whether this principal may read a chat: by changing it, or by the rule. Only `true` counts. @source ADR 0022 */
export async function mayRead(
  settings: FlowSettings,
  principal: Principal,
  chat: RuledChat,
): Promise<boolean> {
  if (await mayChange(settings, principal, chat)) return true;
  const { mayRead: rule } = settings;
  if (rule === undefined) return false;
  const place = { rule: 'mayRead', chatId: chat.id };
  return ruleAllows(settings, place, principal, ruledChat(settings, chat), rule);
}

/** The head of a chat that this principal may read. @throws CountersignError `not-found` for any other */
export async function readable(
  settings: FlowSettings,
  principal: Principal,
  chatId: ChatId,
  head: ChatHead | undefined,
): Promise<ChatHead> {
  // The flow's log is not a chat, whatever a rule returns.
  if (head && head.id !== flowLogId && (await mayRead(settings, principal, head))) return head;
  throw noSuchChat(chatId);
}

/** The head of a chat that this principal may change. @throws CountersignError `not-found` or `forbidden` */
export async function changeable(
  settings: FlowSettings,
  principal: Principal,
  chatId: ChatId,
  head: ChatHead | undefined,
): Promise<ChatHead> {
  if (head && head.id !== flowLogId && (await mayChange(settings, principal, head))) return head;
  await readable(settings, principal, chatId, head);
  throw new CountersignError('forbidden', `You may read chat ${chatId}, but not change it.`, { chatId });
}

/** The error for a chat that is missing, and for one that may not be read. */
export function noSuchChat(chatId: ChatId): CountersignError {
  return new CountersignError('not-found', `Chat ${chatId} was not found.`, { chatId });
}

/** Whether this principal may see a question without answering it. By default, no one may. @source ADR 0043 */
export async function mayWatch(
  settings: FlowSettings,
  principal: Principal,
  question: Question,
): Promise<boolean> {
  const { mayWatch: rule } = settings;
  if (rule === undefined) return false;
  const place = { rule: 'mayWatch', chatId: question.chatId, approvalId: question.id };
  return ruleAllows(settings, place, principal, ruledQuestion(settings, question), rule);
}

/** True when a person other than the chat's owner may have to answer. Then the questions of all owners must be searched. */
export function hasRules(settings: FlowSettings): boolean {
  const { mayAnswer, mayRead, mayChange, mayWatch, plugins = [] } = settings;
  const isRuled = [mayAnswer, mayRead, mayChange, mayWatch].some((rule) => rule !== undefined);
  return isRuled || hasApprovers(settings) || plugins.some(({ rules }) => rules);
}

/** Whose questions must be read to find those that this principal may see; `undefined`: everyone's. */
export async function ownerToRead(
  settings: RightsSettings,
  principal: Principal,
): Promise<string | undefined> {
  if (hasRules(settings) || (await giversTo(settings, principal)).length > 0) return undefined;
  return principal.id;
}

/** True if a tool has its own approvers, of these settings or of a subagent within. */
function hasApprovers({
  toolDetails = {},
  tools = {},
}: Pick<FlowSettings, 'tools' | 'toolDetails'>): boolean {
  return (
    Object.values(toolDetails).some((details) => details?.approvers) ||
    Object.values(tools).some((tool) => hasApprovers(agentOf(tool)?.settings ?? {}))
  );
}
