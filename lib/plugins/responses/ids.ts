import {
  type ApprovalId,
  type ChatId,
  parseApprovalId,
  parseChatId,
  parseToolCallId,
  type RunId,
  type ToolCallId,
} from '../../protocol/index.ts';
import type { Item } from './client/schema/item-schema.ts';

/** What the id of an answer in the input begins with. */
const answerPrefix = 'mcpa';

/** What an item's id begins with. A call's id, shared by `function_call` and its output, begins with `call`. */
const prefixes = {
  message: 'msg',
  reasoning: 'rs',
  mcp_call: 'mcp',
  mcp_approval_request: 'mcpr',
  mcp_list_tools: 'mcpl',
  file_search_call: 'fs',
  web_search_call: 'ws',
  function_call: 'fc',
  function_call_output: 'fco',
} as const satisfies Record<Item['type'], string>;

const pattern = new RegExp(
  `^(resp|call|${answerPrefix}|${Object.values(prefixes).join('|')})_([A-Za-z0-9_-]{1,128})[.](.{1,256})$`,
);

/**
 * Every id of this dialect names its chat, so that one id is enough to find the chat of a request that repeats its whole
 * history or has only an answer. `local` is unique in the chat.
 *
 * @source ADR 0014
 */
export function formatItemId(type: Item['type'], chatId: ChatId, local: string | number): string {
  return `${prefixes[type]}_${chatId}.${local}`;
}

/** A response is a run of a chat. */
export function formatResponseId(chatId: ChatId, runId: RunId): string {
  return `resp_${chatId}.${runId}`;
}

/** The run that a response's id names, with its chat; `undefined` for an id that is not ours. */
export function responseOfId(id: string): { readonly chatId: ChatId; readonly runId: RunId } | undefined {
  const match = pattern.exec(id);
  const chatId = match?.[1] === 'resp' ? chatOfId(id) : undefined;
  return chatId && { chatId, runId: match?.[3] as RunId };
}

/** An answer, as an item of the input. */
export function formatAnswerId(chatId: ChatId, approvalId: ApprovalId): string {
  return `${answerPrefix}_${chatId}.${approvalId}`;
}

/** The id that a client call and its output share. */
export function formatCallId(chatId: ChatId, toolCallId: ToolCallId): string {
  return `call_${chatId}.${toolCallId}`;
}

/** The chat that an id names; `undefined` for an id that is not ours. */
export function chatOfId(id: unknown): ChatId | undefined {
  const match = typeof id === 'string' ? pattern.exec(id) : null;
  try {
    return match ? parseChatId(match[2]) : undefined;
  } catch {
    return undefined;
  }
}

/** The run that a response's id names; `undefined` for any other id. */
export function runOfId(id: string): string | undefined {
  const match = pattern.exec(id);
  return match?.[1] === 'resp' ? match[3] : undefined;
}

/** The question that an approval request's id names, or that is named by its own id. @throws CountersignError */
export function approvalOfId(id: string): ApprovalId {
  const match = pattern.exec(id);
  return parseApprovalId(match?.[1] === prefixes.mcp_approval_request ? match[3] : id);
}

/** The call that a `call_id` names, or that is named by its own id. @throws CountersignError `invalid-request` */
export function toolCallOfId(id: string): ToolCallId {
  const match = pattern.exec(id);
  return parseToolCallId(match?.[1] === 'call' ? match[3] : id);
}
