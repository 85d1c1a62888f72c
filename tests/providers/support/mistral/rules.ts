import type { MistralBody, MistralMessage } from './body.ts';

/** Which roles may follow a role. */
const following: Record<MistralMessage['role'], readonly MistralMessage['role'][]> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool'],
};

/** What Mistral refuses with 400 although it fits the schema, in the words of its published validator. */
export function faultOfMistral({ messages }: MistralBody): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'user' && last?.role !== 'tool' && !(last?.role === 'assistant' && last.prefix)) {
    return `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last?.role}`;
  }
  for (const [at, { role }] of messages.entries()) {
    const before = messages[at - 1];
    if (before && !following[before.role].includes(role)) {
      return `Unexpected role '${role}' after role '${before.role}'`;
    }
  }
  return messages.map(contentFault).find((fault) => fault !== undefined) ?? countFault(messages);
}

function contentFault(message: MistralMessage): string | undefined {
  if (message.role !== 'assistant') return undefined;
  const { content = '', tool_calls = [] } = message;
  return content.length === 0 && tool_calls.length === 0
    ? 'Assistant message must have either content or tool_calls, but not none.'
    : undefined;
}

/** Each call has one response, before the next reply. */
function countFault(messages: readonly MistralMessage[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        return `Unexpected tool call id ${message.tool_call_id} in tool results`;
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (message.role === 'assistant') {
      if (open.length > 0) return 'Not the same number of function calls and responses';
      open = (message.tool_calls ?? []).map(({ id }) => id);
      if (new Set(open).size < open.length) return 'Duplicate tool call id in assistant message';
    }
  }
  return open.length > 0 ? 'Not the same number of function calls and responses' : undefined;
}
