import type { ChatBody } from './body.ts';

/** What Chat Completions refuses with 400 although it fits the schema, in the service's words. */
export function faultOfChat({ messages }: ChatBody): string | undefined {
  let open = new Set<string>();
  let called = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!called.has(message.tool_call_id)) {
        return `messages.${at}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`;
      }
      if (!open.delete(message.tool_call_id)) return `messages.${at}: Duplicate value for 'tool_call_id'.`;
      continue;
    }
    if (open.size > 0) return unanswered(open);
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (message.role === 'assistant' && calls.length === 0 && typeof message.content !== 'string') {
      return `Invalid value for 'messages.${at}.content': expected a string, got null.`;
    }
    called = new Set(calls.map(({ id }) => id));
    if (called.size < calls.length) return `messages.${at}.tool_calls: Duplicate value for 'tool_call_id'.`;
    open = new Set(called);
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

function unanswered(ids: ReadonlySet<string>): string {
  const list = [...ids].join(', ');
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${list}`;
}
