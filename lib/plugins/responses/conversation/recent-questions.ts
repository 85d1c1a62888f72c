import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import type { ChatId, FlowEvent, Principal } from '../../../protocol/index.ts';
import type { EndUser } from '../request/end-user.ts';
import type { ReadInput } from '../request/input.ts';
import { type HeldItems, heldItems, relationTo } from './held-items.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** How many of a principal's chats are considered, the last changed first. */
const mostChats = 100;

/** How many of those without an open question are read. */
const mostSettled = 20;

/** A conversation, and what its log holds. */
export type KnownChat = { readonly chatId: ChatId; readonly held: HeldItems };

/**
 * The conversation that an input without ids belongs to: one that a request of this person began here, that asked a question
 * within a day, and whose items the input extends. An equal input belongs to it only while the question is open. So a client that holds its history
 * is not asked twice about one call.
 *
 * The items are compared with the log itself: there is no index to keep, and every instance finds the same.
 *
 * @returns the one with an open question, otherwise the longest
 * @source ADR 0014.9
 */
export async function chatOfItems(
  flow: ApprovalFlow,
  request: { principal: Principal; endUser: EndUser; now: number },
  input: ReadInput,
): Promise<KnownChat | undefined> {
  const { principal, endUser, now } = request;
  const { items } = await flow.chats.list({ principal, limit: mostChats });
  const recent = items.filter(({ id, updatedAt }) => updatedAt >= now - dayMs && endUser.owns(id));
  const open = recent.filter(({ openCount }) => openCount > 0);
  const said = input.speeches.filter(({ role }) => role === 'user').length;
  // One message alone extends nothing.
  const settled = said < 2 ? [] : recent.filter(({ openCount }) => openCount === 0).slice(0, mostSettled);
  let longest: KnownChat | undefined;
  for (const { id: chatId } of [...open, ...settled]) {
    const events = await flow.chats.timeline({ principal, chatId });
    if (!beganHere(events)) continue;
    const held = heldItems(events);
    const hasAsked = held.askedAt !== undefined && held.askedAt >= now - dayMs;
    if (!hasAsked || !continues(input, held)) continue;
    if (held.open !== undefined) return { chatId, held };
    if (held.users.length > (longest?.held.users.length ?? 0)) longest = { chatId, held };
  }
  return longest;
}

/** Whether a request to this gateway began the chat. Other chats of the same person have clients of their own. */
function beganHere(events: readonly FlowEvent[]): boolean {
  const first = events.find((event) => event.type === 'run-started');
  return first?.type === 'run-started' && first.options?.request !== undefined;
}

/** True if an input continues a conversation, or repeats a request whose question is open. */
export function continues(input: ReadInput, held: HeldItems): boolean {
  const relation = relationTo(input, held);
  return relation?.type === 'extends' || (relation?.type === 'equal' && held.open !== undefined);
}
