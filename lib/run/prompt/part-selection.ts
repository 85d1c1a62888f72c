import type { AssistantContent, ToolContent, UserContent } from 'ai';
import { isKnownKey, type ProviderLimits } from './provider-limits.ts';

type AssistantPart = Exclude<AssistantContent, string>[number];
type UserPart = Exclude<UserContent, string>[number];
type ToolPart = ToolContent[number];
type Marked = { readonly providerOptions?: object | undefined };

/** Decides which parts of a prompt a provider takes. Results and answers follow their call. @see fitPrompt */
export function createSelection(limits: ProviderLimits) {
  const calls = new Set<string>();
  const questions = new Set<string>();

  const isOwn = ({ providerOptions = {} }: Marked) =>
    limits.keys.some((key) => Object.hasOwn(providerOptions, key));
  const isOfAnother = ({ providerOptions = {} }: Marked) => Object.keys(providerOptions).some(isKnownKey);
  const isUnmarked = ({ providerOptions = {} }: Marked) => Object.keys(providerOptions).length === 0;
  const wasExecutedHere = (call: Marked & Parameters<ProviderLimits['hasExecuted']>[0]) =>
    isOwn(call) || (isUnmarked(call) && limits.hasExecuted(call));

  function isTaken(part: AssistantPart): boolean {
    switch (part.type) {
      case 'text':
        return true;
      case 'reasoning':
        return isOwn(part) || (limits.takesUnsignedReasoning && !isOfAnother(part));
      case 'file':
      case 'reasoning-file':
        return limits.takesMadeFiles;
      case 'custom':
        return limits.keys.some((key) => part.kind.startsWith(`${key}.`));
      case 'tool-call':
        if (!part.providerExecuted) return true;
        if (wasExecutedHere(part)) calls.add(part.toolCallId);
        return calls.has(part.toolCallId);
      case 'tool-result':
        return calls.has(part.toolCallId) || wasExecutedHere(part);
      case 'tool-approval-request':
        if (calls.has(part.toolCallId)) questions.add(part.approvalId);
        return questions.has(part.approvalId);
      default:
        return part satisfies never;
    }
  }

  return {
    assistant: (part: AssistantPart): AssistantPart | undefined => (isTaken(part) ? part : undefined),

    tool(part: ToolPart): ToolPart | undefined {
      const isAnswer = part.type === 'tool-approval-response' && part.providerExecuted;
      return !isAnswer || questions.has(part.approvalId) ? part : undefined;
    },

    user(part: UserPart): UserPart {
      if (part.type !== 'file' || !limits.refusedFiles.test(part.mediaType)) return part;
      const { filename, mediaType } = part;
      const file = filename === undefined ? `A file (${mediaType})` : `The file ${filename} (${mediaType})`;
      return { type: 'text', text: `[${file} is left out: this model does not take it.]` };
    },
  };
}
