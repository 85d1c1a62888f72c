import type { Call } from '../../flow/turn.ts';
import { type ChatId, isRecord, type JsonValue, redact } from '../../vocabulary/index.ts';
import { formatCallId, formatItemId } from './ids.ts';
import type { ItemOf } from './item-schema.ts';

/** What clients are told of the server's own tools, and how much. */
export type CallSettings = {
  readonly chatId: ChatId;
  /** What `mcp_call` items say their server is. */
  readonly serverLabel: string;
  /** How function tools that the server executes are shown. @source contract C7 */
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
 * @source contract C4, C7, C10, C18
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

/** A tool's name without the mark by which model providers name tools of remote servers. */
export function nameOf({ requested }: Call): string {
  return requested.toolName.replace(/^mcp[.]/, '');
}

/** The arguments as shown, in JSON: what runs, if somebody edited them. */
export function argumentsOf(call: Call): string {
  return JSON.stringify(shownInput(call));
}

/** The item that asks. @source contract C18 */
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

/** @param local what makes the id unique in the chat @source contract C2, C6 */
export function fileSearchItem(
  call: Call,
  local: number,
  settings: CallSettings,
): ItemOf<'file_search_call'> {
  const results = call.end && settings.include.includes('file_search_call.results') ? foundIn(call) : null;
  return {
    type: 'file_search_call',
    id: formatItemId('file_search_call', settings.chatId, local),
    status: searchStatus(call),
    queries: queriesOf(call),
    results:
      results?.map((found, index) => ({
        file_id: textAt(found, ['file_id', 'id', 'file', 'filename', 'path']) ?? String(index),
        filename: textAt(found, ['filename', 'file', 'path', 'title', 'name']) ?? String(index),
        score: isRecord(found) && typeof found.score === 'number' ? found.score : 0,
        text: textAt(found, ['text', 'excerpt', 'content', 'snippet']) ?? JSON.stringify(found),
        attributes: {},
      })) ?? null,
  };
}

/** @param local what makes the id unique in the chat @source contract C2, C6 */
export function webSearchItem(call: Call, local: number, settings: CallSettings): ItemOf<'web_search_call'> {
  const queries = queriesOf(call);
  const asksSources = settings.include.includes('web_search_call.action.sources');
  const sources = foundIn(call).flatMap((found) => {
    const url = textAt(found, ['url', 'link']);
    return url === undefined ? [] : [{ type: 'url' as const, url }];
  });
  return {
    type: 'web_search_call',
    id: formatItemId('web_search_call', settings.chatId, local),
    status: searchStatus(call),
    action: {
      type: 'search',
      query: queries[0] ?? '',
      queries,
      ...(asksSources && call.end ? { sources } : {}),
    },
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

function shownInput({ requested, answered, started }: Call): JsonValue {
  return redact(started?.input ?? answered?.input ?? requested.input, requested.secrets?.input);
}

function shownOutput({ requested, end }: Call): JsonValue {
  return end?.type === 'tool-completed' ? redact(end.output, requested.secrets?.output) : null;
}

function outputOf(call: Call): string | null {
  if (call.end?.type !== 'tool-completed') return null;
  const output = shownOutput(call);
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function errorOf({ end }: Call): string | undefined {
  switch (end?.type) {
    case 'tool-failed':
      return end.error;
    case 'tool-denied':
      return end.reason ? `The call was denied: ${end.reason}` : 'The call was denied.';
    case 'tool-cancelled':
      return end.reason;
    default:
      return undefined;
  }
}

function searchStatus({ end }: Call): 'in_progress' | 'completed' | 'failed' {
  if (!end) return 'in_progress';
  return end.type === 'tool-completed' ? 'completed' : 'failed';
}

function queriesOf(call: Call): string[] {
  const input = shownInput(call);
  if (!isRecord(input)) return [JSON.stringify(input)];
  const { query, queries } = input;
  if (Array.isArray(queries)) return queries.map(String);
  return [typeof query === 'string' ? query : JSON.stringify(input)];
}

function foundIn(call: Call): readonly unknown[] {
  const output: unknown = shownOutput(call);
  const found = isRecord(output) ? (output.results ?? output.sources) : output;
  return Array.isArray(found) ? found : [];
}

function textAt(value: unknown, keys: readonly string[]): string | undefined {
  if (!isRecord(value)) return undefined;
  const key = keys.find((candidate) => typeof value[candidate] === 'string');
  return key === undefined ? undefined : String(value[key]);
}
