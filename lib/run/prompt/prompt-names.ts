import type { AssistantContent, ModelMessage, ToolContent } from 'ai';
import { madeCallId } from '../made-call-id.ts';
import type { ProviderLimits } from './provider-limits.ts';

type AssistantPart = Exclude<AssistantContent, string>[number];
type ToolPart = ToolContent[number];
type Named = { readonly toolCallId: string; readonly toolName: string };

export type PromptTarget = {
  /** `undefined` for a provider that is not known: then only the names of unknown tools are rewritten. */
  readonly limits: ProviderLimits | undefined;
  /** True for the name of a tool that the model gets. */
  readonly isOffered: (toolName: string) => boolean;
};

/** What every provider takes as the name of a tool. */
const anyName = /^[A-Za-z_][\w-]{0,63}$/;
const longestName = 64;

/**
 * Gives calls ids and names that the provider takes. Offered tools and a provider's own calls keep theirs. @see
 * fitPrompt
 */
export function createNames(messages: readonly ModelMessage[], { limits, isOffered }: PromptTarget) {
  const callId = limits?.callId;
  /** Of all calls of the prompt. Read only if an id has to be replaced. */
  let used: Set<string> | undefined;
  const ids = new Map<string, string>();

  function idOf(id: string): string {
    if (!callId || callId.test(id)) return id;
    const known = ids.get(id);
    if (known !== undefined) return known;
    used ??= new Set(messages.flatMap(idsIn));
    const made = madeCallId((other) => used?.has(other) === true, 'prompt', id);
    used.add(made);
    ids.set(id, made);
    return made;
  }

  function named<Part extends Named>(part: Part): Part {
    const toolCallId = idOf(part.toolCallId);
    const toolName = isOffered(part.toolName) ? part.toolName : nameOf(part.toolName);
    const isSame = toolCallId === part.toolCallId && toolName === part.toolName;
    return isSame ? part : { ...part, toolCallId, toolName };
  }

  return {
    assistant: (part: AssistantPart): AssistantPart =>
      part.type === 'tool-call' && !part.providerExecuted ? named(part) : part,
    tool: (part: ToolPart): ToolPart => (part.type === 'tool-result' ? named(part) : part),
  };
}

function idsIn({ content }: ModelMessage): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
}

function nameOf(name: string): string {
  if (anyName.test(name)) return name;
  const plain = name.replaceAll(/[^\w-]/g, '_');
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, longestName);
}
