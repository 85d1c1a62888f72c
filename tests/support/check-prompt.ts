import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * What is wrong with a prompt, as model vendors judge it: each call of ours has exactly one result, behind it, and
 * before the next thing that is said; no id stands for two calls.
 */
export function checkPrompt(prompt: LanguageModelV4Prompt): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const { role, content } of prompt) {
    if (role === 'assistant' || role === 'user') {
      if (open.size > 0) faults.push(`${role} speaks while ${[...open].join(', ')} have no result`);
      open = new Set();
    }
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call') {
        if (seen.has(part.toolCallId)) faults.push(`${part.toolCallId} stands for two calls`);
        seen.add(part.toolCallId);
        if (!part.providerExecuted) open.add(part.toolCallId);
      }
      if (part.type === 'tool-result' && role === 'tool' && !open.delete(part.toolCallId)) {
        faults.push(`${part.toolCallId} has a result, but was not called or has two`);
      }
      if (part.type === 'text' && part.text === '') faults.push(`${role} has an empty text`);
    }
  }
  if (open.size > 0) faults.push(`${[...open].join(', ')} have no result`);
  return faults;
}
