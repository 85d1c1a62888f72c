import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import { type ChatId, isRecord, type Principal } from '../../../protocol/index.ts';
import { newItemSchemas, type ResponsesRequest } from './request-schema.ts';

/** How many of a principal's chats are looked through, the last changed first. */
const chatsLookedAt = 20;

type Speech = { readonly role: string; text: string };

/**
 * The chat that a history without any id of ours is of: the last changed one in which exactly the same was said.
 * Some clients leave ids out (`@ai-sdk/openai` does for models that reason, and with `store: false`). A client
 * that sends the exact text of a chat of its own user learns nothing new from continuing it.
 *
 * @returns `undefined` when the input holds no history, or nothing like it was said in the chats looked at
 * @source ADR 0014
 */
export async function chatOfHistory(
  flow: ApprovalFlow,
  principal: Principal,
  input: ResponsesRequest['input'],
): Promise<ChatId | undefined> {
  const history = typeof input === 'string' ? [] : speechesOf(input);
  const past = history.slice(0, history.findLastIndex(({ role }) => role === 'assistant') + 1);
  if (past.length === 0) return undefined;
  const wanted = JSON.stringify(past);
  const { items } = await flow.chats({ principal, limit: chatsLookedAt });
  for (const { id: chatId } of items) {
    const { messages } = await flow.chat({ principal, chatId });
    const said = messages.map(({ role, parts }) => ({ role, text: textOf(parts) }));
    if (JSON.stringify(joined(said)) === wanted) return chatId;
  }
  return undefined;
}

function speechesOf(input: readonly unknown[]): Speech[] {
  const speeches = input.flatMap((item): Speech[] => {
    if (!isRecord(item)) return [];
    const { role, content } = item;
    if (role === 'assistant') return [{ role, text: textOf(content) }];
    const message = newItemSchemas.message.safeParse(item).data;
    return message?.role === 'user' ? [{ role: 'user', text: textOf(message.content) }] : [];
  });
  return joined(speeches);
}

/** What one side said in several pieces, as one; clients cut it differently. */
function joined(speeches: readonly Speech[]): Speech[] {
  const whole: Speech[] = [];
  for (const { role, text } of speeches) {
    const last = whole.at(-1);
    if (last?.role === role) last.text += text;
    else whole.push({ role, text });
  }
  return whole.filter(({ text }) => text !== '');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isRecord(part) && typeof part.text === 'string' && isText(part) ? part.text : ''))
    .join('');
}

function isText({ type }: Record<string, unknown>): boolean {
  return type === 'text' || type === 'input_text' || type === 'output_text';
}
