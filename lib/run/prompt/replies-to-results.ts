import type { ModelMessage } from 'ai';

/** What stands for the reply that a turn does not have, because it was stopped, superseded or ended without a word. */
const noReply = '[No reply.]';

/** The messages with a reply between results and what the person says next: Mistral refuses the one right after the other. */
export function withRepliesToResults(messages: ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message, index): ModelMessage[] => {
    const follows = message.role === 'user' && messages[index - 1]?.role === 'tool';
    return follows ? [{ role: 'assistant', content: noReply }, message] : [message];
  });
}
