import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * The faults of a prompt, by the rules of model vendors: each call has exactly one result, after the call and before
 * the next text; and each id belongs to one call.
 */
export function checkPrompt(prompt: LanguageModelV4Prompt): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const { role, content } of prompt) {
    if (role === 'assistant' || role === 'user') {
      if (open.size > 0) faults.push(`${role} has text while ${[...open].join(', ')} have no result`);
      open = new Set();
    }
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call') {
        if (seen.has(part.toolCallId)) faults.push(`${part.toolCallId} is the id of two calls`);
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
