import type { AssistantContent, ModelMessage, ToolContent } from 'ai';
import { mapped, withContent } from './mapped.ts';

type AssistantPart = Exclude<AssistantContent, string>[number];
type ToolPart = ToolContent[number];

/** White space, also what only Python counts as such: the service may be written in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators of ASCII are white space.
const blank = /^[\s\x1c-\x1f\x85]*$/;

/** Without empty texts, empty messages and trailing reasoning, which services refuse. Signed texts stay. */
export function withoutEmptyTexts(messages: ModelMessage[]): ModelMessage[] {
  return withoutTexts(messages, ({ text, providerOptions }) => text === '' && providerOptions === undefined);
}

/** Without texts of white space, too, which Anthropic refuses. */
export function withoutBlankTexts(messages: ModelMessage[]): ModelMessage[] {
  return withoutTexts(messages, ({ text }) => blank.test(text));
}

type Text = { readonly text: string; readonly providerOptions?: object | undefined };
type IsLeftOut = (text: Text) => boolean;

function withoutTexts(messages: ModelMessage[], isLeftOut: IsLeftOut): ModelMessage[] {
  return mapped(messages, (message): ModelMessage | undefined => {
    if (message.role === 'system') return message;
    if (message.content.length === 0) return undefined;
    if (typeof message.content === 'string')
      return isLeftOut({ text: message.content }) ? undefined : message;
    switch (message.role) {
      case 'assistant':
        return withContent(message, speech(withWords(message.content, isLeftOut)));
      case 'user':
        return withContent(message, withWords(message.content, isLeftOut));
      case 'tool':
        return withContent(
          message,
          mapped(message.content, (part) => resultWithWords(part, isLeftOut)),
        );
      default:
        return message satisfies never;
    }
  });
}

function withWords<Part extends { readonly type: string }>(parts: Part[], isLeftOut: IsLeftOut): Part[] {
  return mapped(parts, (part) => (isText(part) && isLeftOut(part) ? undefined : part));
}

function isText(part: { readonly type: string }): part is { readonly type: 'text' } & Text {
  return part.type === 'text';
}

/** Without reasoning that nothing follows: it was cut off, or has lost its text. */
function speech(content: AssistantPart[]): AssistantPart[] {
  const end = content.findLastIndex(({ type }) => type !== 'reasoning') + 1;
  return end === content.length ? content : content.slice(0, end);
}

function resultWithWords(part: ToolPart, isLeftOut: IsLeftOut): ToolPart {
  if (part.type !== 'tool-result') return part;
  const { output } = part;
  if (output.type === 'error-text' && isLeftOut({ text: output.value })) {
    return { ...part, output: { ...output, value: 'The tool failed.' } };
  }
  if (output.type !== 'content') return part;
  const value = withWords(output.value, isLeftOut);
  return value === output.value ? part : { ...part, output: { ...output, value } };
}
