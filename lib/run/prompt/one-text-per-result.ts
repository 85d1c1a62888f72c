import type { ModelMessage, ToolContent } from 'ai';
import { mapped, withContent } from './mapped.ts';

/** Gemini before version 3 takes one response for each call, but its package sends one for each text. */
export function withOneTextPerResult(messages: ModelMessage[]): ModelMessage[] {
  return mapped(messages, (message): ModelMessage | undefined =>
    message.role === 'tool' ? withContent(message, mapped(message.content, withOneText)) : message,
  );
}

function withOneText(part: ToolContent[number]): ToolContent[number] {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
  const { value } = part.output;
  const texts = value.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  if (texts.length === 1) return part;
  const others = value.filter(({ type }) => type !== 'text');
  // For Gemini 3, its package joins the texts in the same way, and says the same if there is none.
  const text = texts.join('\n') || 'Tool executed successfully.';
  return { ...part, output: { ...part.output, value: [{ type: 'text', text }, ...others] } };
}

/** What stands for the reply that a turn does not have, because it was stopped, superseded or ended without a word. */
const noReply = '[No reply.]';

/** The messages with a reply between results and what the person says next: Mistral refuses the one right after the other. */
export function withRepliesToResults(messages: ModelMessage[]): ModelMessage[] {
  const lacksReply = ({ role }: ModelMessage, index: number) =>
    role === 'user' && messages[index - 1]?.role === 'tool';
  if (!messages.some(lacksReply)) return messages;
  return messages.flatMap((message, index): ModelMessage[] =>
    lacksReply(message, index) ? [{ role: 'assistant', content: noReply }, message] : [message],
  );
}
