import type { ModelMessage } from 'ai';
import { withoutEmptyTexts } from './blank-texts.ts';
import { mapped, withContent } from './mapped.ts';
import { createSelection } from './part-selection.ts';
import { createNames, type PromptTarget } from './prompt-names.ts';
import { withoutFilesStoredElsewhere } from './stored-files.ts';

/**
 * The messages as a provider takes them. What only another provider takes is left out: reasoning with its signatures, its own
 * kinds of parts, and calls that it executed. A file that this provider refuses becomes a text that says so. Ids and names of
 * calls get a form that it takes, in the same way each time. So do the texts of messages and results, and their order.
 *
 * @param onLeftOut receives each part that is left out
 * @param prompt all messages, of which those before `messages` stay as they are: a new id differs from all of theirs
 * @returns the messages, unchanged ones as they are; the same list if nothing changes
 * @source ADR 0055
 */
export function fitPrompt(
  messages: ModelMessage[],
  target: PromptTarget,
  onLeftOut: (part: { readonly type: string }) => void,
  prompt = messages,
): ModelMessage[] {
  const { limits } = target;
  const names = createNames(prompt, target);
  const selection = limits && createSelection(limits);
  const fitted = <Part extends { readonly type: string }>(
    select: ((part: Part) => Part | undefined) | undefined,
    name: (part: Part) => Part,
  ) => {
    if (!select) return name;
    return (part: Part) => {
      const taken = select(part);
      if (taken !== part) onLeftOut(part);
      return taken && name(taken);
    };
  };
  // Made once, because a prompt is long.
  const assistant = fitted(selection?.assistant, names.assistant);
  const tool = fitted(selection?.tool, (part) =>
    names.tool(limits ? withoutFilesStoredElsewhere(part, limits.keys, onLeftOut) : part),
  );
  const user = selection && fitted(selection.user, (part) => part);
  const taken = mapped(messages, (message): ModelMessage | undefined => {
    if (message.role === 'system' || typeof message.content === 'string') return message;
    switch (message.role) {
      case 'assistant':
        return withContent(message, mapped(message.content, assistant));
      case 'tool':
        return withContent(message, mapped(message.content, tool));
      case 'user':
        return user ? withContent(message, mapped(message.content, user)) : message;
      default:
        return message satisfies never;
    }
  });
  if (!limits) return taken;
  const said = withoutEmptyTexts(taken);
  return limits.reshape?.(said) ?? said;
}
