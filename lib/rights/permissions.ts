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
import { escalates } from '../settings/escalation-plan.ts';
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

/**
 * Whether this principal may see and continue a chat. Default: only its owner may. Only `true` from the rule
 * counts as permission.
 *
 * @source ADR 0022
 */
export async function mayAccess(
  settings: FlowSettings,
  principal: Principal,
  chat: { id: ChatId; ownerId: string },
): Promise<boolean> {
  if (!isPrincipal(principal)) return false;
  const rule = settings.mayAccess;
  const who = asNow(settings, principal);
  const owned = { ...chat, ownerId: idNow(settings, chat.ownerId) };
  if (rule === undefined) return owned.ownerId === who.id;
  return isYes(settings, 'mayAccess', { chatId: chat.id }, () => rule(who, owned));
}

/**
 * The head of a chat that this principal may see. Any other chat is reported as missing.
 *
 * @throws CountersignError `not-found`
 */
export async function accessible(
  settings: FlowSettings,
  principal: Principal,
  chatId: ChatId,
  head: ChatHead | undefined,
): Promise<ChatHead> {
  // The flow's log is not a chat, whatever a rule returns.
  if (head && head.id !== flowLogId && (await mayAccess(settings, principal, head))) return head;
  throw noSuchChat(chatId);
}

/** The error for a chat that is missing, and for one that may not be seen. */
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
  const { mayAnswer, mayAccess, mayWatch } = settings;
  const isRuled = [mayAnswer, mayAccess, mayWatch].some((rule) => rule !== undefined);
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
