import type { ModelMessage } from 'ai';
import { createSelection } from './part-selection.ts';
import { createNames, type PromptTarget } from './prompt-names.ts';

/**
 * The messages as a provider takes them. What only another provider takes is left out: reasoning with its signatures, its own
 * kinds of parts, and calls that it executed. A file that this provider refuses becomes a text that says so. Ids and names of
 * calls get a form that it takes, in the same way each time.
 *
 * @param onLeftOut receives each part that is left out
 * @returns the same list if nothing changes
 * @source ADR 0055
 */
export function fitPrompt(
  messages: ModelMessage[],
  target: PromptTarget,
  onLeftOut: (part: { readonly type: string }) => void,
): ModelMessage[] {
  const names = createNames(messages, target);
  const selection = target.limits && createSelection(target.limits);
  const fitted = <Part extends { readonly type: string }>(
    parts: Part[],
    select: ((part: Part) => Part | undefined) | undefined,
    name?: (part: Part) => Part,
  ) =>
    mapped(parts, (part) => {
      const taken = select ? select(part) : part;
      if (taken !== part) onLeftOut(part);
      return taken && name ? name(taken) : taken;
    });
  return mapped(messages, (message): ModelMessage | undefined => {
    if (message.role === 'system' || typeof message.content === 'string') return message;
    switch (message.role) {
      case 'assistant':
        return withContent(message, fitted(message.content, selection?.assistant, names.assistant));
      case 'tool':
        return withContent(message, fitted(message.content, selection?.tool, names.tool));
      case 'user':
        return withContent(message, fitted(message.content, selection?.user));
      default:
        return message satisfies never;
    }
  });
}

/** Providers refuse a message without content. */
function withContent<Message extends ModelMessage>(
  message: Message,
  content: readonly unknown[],
): Message | undefined {
  if (content === message.content) return message;
  return content.length === 0 ? undefined : { ...message, content };
}

/** The list without what is mapped to nothing; the same list if nothing changes. */
function mapped<Item>(items: Item[], map: (item: Item) => Item | undefined): Item[] {
  const results = items.flatMap((item) => map(item) ?? []);
  const isSame = results.length === items.length && results.every((item, index) => item === items[index]);
  return isSame ? items : results;
}
