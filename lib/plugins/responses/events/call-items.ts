import { failureText } from '../../../dialects/failure-text.ts';
import type { Call } from '../../../log/turn/turn.ts';
import type { ChatId } from '../../../protocol/index.ts';
import type { ItemOf } from '../client/schema/item-schema.ts';
import { formatCallId, formatItemId } from '../ids.ts';
import { argumentsText, nameOf, outputText } from './call-texts.ts';

/** How a response shows calls of the server's own tools. */
export type CallSettings = {
  readonly chatId: ChatId;
  /** The server name of `mcp_call` items. */
  readonly serverLabel: string;
  /** How function tools that the server executes are shown. @source C7 */
  readonly serverTools: 'function_call' | 'mcp_call';
  /**
   * Where people answer. Present for a client that shows no approval requests: questions are messages then, and calls of
   * the server are left out.
   *
   * @source ADR 0014.11
   */
  readonly asksAt?: string;
  /** The request's `include`: what is left out of items unless it is asked for. */
  readonly include: readonly string[];
};

/** The items that the server's own calls become. */
export type CallForm = 'mcp_call' | 'file_search_call' | 'web_search_call' | 'function_call';

/**
 * The kind of item that a call is shown as. A gated call is an `mcp_call` whatever its tool is, because clients expect
 * one after their answer.
 *
 * @source C4, C7, C10, C18
 */
export function formOf({ requested, asked }: Call, settings: CallSettings): CallForm {
  if (asked) return 'mcp_call';
  switch (requested.kind) {
    case 'mcp':
      return 'mcp_call';
    case 'file_search':
    case 'web_search':
      return `${requested.kind}_call`;
    case 'function':
      return settings.serverTools;
    default:
      return requested.kind satisfies never;
  }
}

/** The item that asks. @source C18 */
export function approvalRequestItem(
  call: Call,
  approvalId: string,
  settings: CallSettings,
): ItemOf<'mcp_approval_request'> {
  return {
    type: 'mcp_approval_request',
    id: formatItemId('mcp_approval_request', settings.chatId, approvalId),
    server_label: settings.serverLabel,
    name: nameOf(call),
    arguments: argumentsText(call),
  };
}

/** @param local what makes the id unique in the chat */
export function mcpCallItem(call: Call, local: number, settings: CallSettings): ItemOf<'mcp_call'> {
  const { asked, end } = call;
  const { chatId, serverLabel } = settings;
  const error = failureText(call);
  return {
    type: 'mcp_call',
    id: formatItemId('mcp_call', chatId, local),
    server_label: serverLabel,
    name: nameOf(call),
    arguments: end ? argumentsText(call) : '',
    status: !end ? 'in_progress' : end.type === 'tool-completed' ? 'completed' : 'failed',
    approval_request_id: asked ? formatItemId('mcp_approval_request', chatId, asked.approvalId) : null,
    output: outputText(call),
    error:
      error === undefined
        ? null
        : { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: error }] },
  };
}

/** A call that the client executes, or one that the server executed and a request wants to see as a function. */
export function functionCallItem(
  call: Call,
  local: number,
  { chatId }: CallSettings,
): ItemOf<'function_call'> {
  return {
    type: 'function_call',
    id: formatItemId('function_call', chatId, local),
    call_id: formatCallId(chatId, call.requested.toolCallId),
    name: nameOf(call),
    arguments: argumentsText(call),
    status: 'completed',
  };
}

/** The result of a function that the server executed. A failure is JSON in `output`. */
export function functionOutputItem(
  call: Call,
  local: number,
  { chatId }: CallSettings,
): ItemOf<'function_call_output'> {
  const error = failureText(call);
  return {
    type: 'function_call_output',
    id: formatItemId('function_call_output', chatId, local),
    call_id: formatCallId(chatId, call.requested.toolCallId),
    output: error === undefined ? (outputText(call) ?? '') : JSON.stringify({ error }),
    status: 'completed',
  };
}
