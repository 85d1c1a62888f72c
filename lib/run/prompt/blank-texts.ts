import type { AssistantContent, ModelMessage, ToolContent } from 'ai';
import { mapped, withContent } from './mapped.ts';

type AssistantPart = Exclude<AssistantContent, string>[number];
type ToolPart = ToolContent[number];

/** White space, also what only Python counts as such: the service may be written in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators of ASCII are white space.
const blank = /^[\s\x1c-\x1f\x85]*$/;

/**
 * The messages without texts of white space: Anthropic refuses a prompt that contains one, and so each later request of the
 * chat. Reasoning that then ends a message is left out with its text, and a message that then has no content is left out.
 * An error keeps a text.
 */
export function withoutBlankTexts(messages: ModelMessage[]): ModelMessage[] {
  return mapped(messages, (message): ModelMessage | undefined => {
    if (message.role === 'system') return message;
    if (typeof message.content === 'string') return blank.test(message.content) ? undefined : message;
    switch (message.role) {
      case 'assistant':
        return withContent(message, speech(message.content));
      case 'user':
        return withContent(message, withWords(message.content));
      case 'tool':
        return withContent(message, mapped(message.content, resultWithWords));
      default:
        return message satisfies never;
    }
  });
}

function withWords<Part extends { readonly type: string }>(parts: Part[]): Part[] {
  return mapped(parts, (part) =>
    part.type === 'text' && 'text' in part && blank.test(String(part.text)) ? undefined : part,
  );
}

function speech(content: AssistantPart[]): AssistantPart[] {
  const said = withWords(content);
  if (said === content) return content;
  return said.slice(0, said.findLastIndex(({ type }) => type !== 'reasoning') + 1);
}

function resultWithWords(part: ToolPart): ToolPart {
  if (part.type !== 'tool-result') return part;
  const { output } = part;
  if (output.type === 'error-text' && blank.test(output.value)) {
    return { ...part, output: { ...output, value: 'The tool failed.' } };
  }
  if (output.type !== 'content') return part;
  const value = withWords(output.value);
  return value === output.value ? part : { ...part, output: { ...output, value } };
}
