import type { ChatHead } from '../log/store-port.ts';
import {
  type ChatId,
  CountersignError,
  flowLogId,
  isPrincipal,
  type Principal,
  type Question,
} from '../protocol/index.ts';
import { agentOf } from '../settings/agents/agents.ts';
import { escalates } from '../settings/escalation/escalation-plan.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { asNow, idNow } from '../settings/former-ids.ts';
import { asRuled } from './as-ruled.ts';
import { delegationsTo, type RuledSettings } from './delegated-right.ts';
import { isYes } from './is-yes.ts';

/**
 * Lets an operator pass.
 *
 * @throws CountersignError `not-found` unless `mayOperate` returns `true`
 */
export async function checkOperator(
  settings: Pick<FlowSettings, 'mayOperate'>,
  principal: Principal,
): Promise<void> {
  if ((await settings.mayOperate?.(principal)) === true) return;
  throw new CountersignError('not-found', 'There is nothing here.');
}

type RuledChat = { readonly id: ChatId; readonly ownerId: string };

/**
 * Whether this principal may change a chat. Default: only its owner may. Only `true` from the rule counts as permission.
 *
 * @source ADR 0022
 */
async function mayChange(settings: FlowSettings, principal: Principal, chat: RuledChat): Promise<boolean> {
  if (!isPrincipal(principal)) return false;
  const owned = ownedNow(settings, chat);
  const who = asNow(settings, principal);
  const rule = settings.mayChange;
  if (rule === undefined) return owned.ownerId === who.id;
  return isYes(settings, 'mayChange', { chatId: chat.id }, () => rule(who, owned));
}

/**
 * Whether this principal may read a chat: it may change it, or the rule about reading permits it. Only `true` from a rule counts
 * as permission.
 *
 * @source ADR 0022
 */
export async function mayRead(
  settings: FlowSettings,
  principal: Principal,
  chat: RuledChat,
): Promise<boolean> {
  if (await mayChange(settings, principal, chat)) return true;
  const rule = settings.mayRead;
  if (rule === undefined || !isPrincipal(principal)) return false;
  const who = asNow(settings, principal);
  return isYes(settings, 'mayRead', { chatId: chat.id }, () => rule(who, ownedNow(settings, chat)));
}

function ownedNow(settings: FlowSettings, chat: RuledChat): { id: ChatId; ownerId: string } {
  return { ...chat, ownerId: idNow(settings, chat.ownerId) };
}

/**
 * The head of a chat that this principal may read. Any other chat is reported as missing.
 *
 * @throws CountersignError `not-found`
 */
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

/**
 * The head of a chat that this principal may change.
 *
 * @throws CountersignError `not-found` unless this principal may read it, `forbidden` if it may only do that
 */
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

/**
 * Whether this principal may see a question without answering it. Default: nobody may. Only `true` from the rule counts as
 * permission.
 *
 * @source ADR 0043
 */
export async function mayWatch(
  settings: FlowSettings,
  principal: Principal,
  question: Question,
): Promise<boolean> {
  const rule = settings.mayWatch;
  if (rule === undefined || !isPrincipal(principal)) return false;
  const { id: approvalId, chatId } = question;
  const watched = asRuled(settings, question);
  return isYes(settings, 'mayWatch', { chatId, approvalId }, () => rule(asNow(settings, principal), watched));
}

/**
 * True when a person other than the chat's owner may have to answer. Then the questions of all owners must be
 * searched.
 */
export function hasRules(settings: FlowSettings): boolean {
  const { mayAnswer, mayRead, mayChange, mayWatch } = settings;
  const isRuled = [mayAnswer, mayRead, mayChange, mayWatch].some((rule) => rule !== undefined);
  return isRuled || hasApprovers(settings) || escalates(settings);
}

/**
 * Whose questions must be read to find those that this principal may see.
 *
 * @returns `undefined`: those of all owners
 */
export async function ownerToRead(
  settings: RuledSettings,
  principal: Principal,
): Promise<string | undefined> {
  if (hasRules(settings) || (await delegationsTo(settings, principal)).length > 0) return undefined;
  return principal.id;
}

/** True if a tool has its own approvers, of these settings or of a subagent within. */
function hasApprovers({
  toolDetails = {},
  tools = {},
}: Pick<FlowSettings, 'tools' | 'toolDetails'>): boolean {
  return (
    Object.values(toolDetails).some((details) => details?.approvers ?? details?.approvals?.of) ||
    Object.values(tools).some((tool) => hasApprovers(agentOf(tool)?.settings ?? {}))
  );
}
