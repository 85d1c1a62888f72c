import type { Call } from '../../log/turn.ts';
import type { ChatId } from '../../protocol/index.ts';
import { argumentsOf, errorOf, nameOf, outputOf } from './call-facts.ts';
import { formatCallId, formatItemId } from './ids.ts';
import type { ItemOf } from './item-schema.ts';

/** What clients are told of the server's own tools, and how much. */
export type CallSettings = {
  readonly chatId: ChatId;
  /** What `mcp_call` items say their server is. */
  readonly serverLabel: string;
  /** How function tools that the server executes are shown. @source C7 */
  readonly serverTools: 'function_call' | 'mcp_call';
  /** The request's `include`: what is left out of items unless it is asked for. */
  readonly include: readonly string[];
};

/** The items that the server's own calls become. */
export type CallForm = 'mcp_call' | 'file_search_call' | 'web_search_call' | 'function_call';

/**
 * The kind of item that a call is shown as. A call that was asked about is an `mcp_call` whatever its tool is: it is
 * what clients expect to follow their answer.
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
    arguments: argumentsOf(call),
  };
}

/** @param local what makes the id unique in the chat */
export function mcpCallItem(call: Call, local: number, settings: CallSettings): ItemOf<'mcp_call'> {
  const { asked, end } = call;
  const { chatId, serverLabel } = settings;
  const error = errorOf(call);
  return {
    type: 'mcp_call',
    id: formatItemId('mcp_call', chatId, local),
    server_label: serverLabel,
    name: nameOf(call),
    arguments: end ? argumentsOf(call) : '',
    status: !end ? 'in_progress' : end.type === 'tool-completed' ? 'completed' : 'failed',
    approval_request_id: asked ? formatItemId('mcp_approval_request', chatId, asked.approvalId) : null,
    output: outputOf(call),
    error:
      error === undefined
        ? null
        : { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: error }] },
  };
}

/** A call that the client executes, or that the server did where a request wants to see it so. */
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
    arguments: argumentsOf(call),
    status: 'completed',
  };
}

/** What the server's own function came to. A failure is told in the output, as JSON. */
export function functionOutputItem(
  call: Call,
  local: number,
  { chatId }: CallSettings,
): ItemOf<'function_call_output'> {
  const error = errorOf(call);
  return {
    type: 'function_call_output',
    id: formatItemId('function_call_output', chatId, local),
    call_id: formatCallId(chatId, call.requested.toolCallId),
    output: error === undefined ? (outputOf(call) ?? '') : JSON.stringify({ error }),
    status: 'completed',
  };
}
