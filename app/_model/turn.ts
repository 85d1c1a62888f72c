import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Outcome } from './outcome.ts';
import { outcomeOf } from './outcome.ts';

/** The maximum length of a request that is parsed, in characters. The scenes' patterns are not made for long texts. */
const longestRequest = 2_000;

/** A call of the turn that has ended. `input` is what the model requested. */
export type EndedCall = { readonly toolName: string; readonly input: unknown; readonly outcome: Outcome };

/** The last user message and the calls since then, in the order they were made. */
export type Turn = { readonly request: string; readonly calls: readonly EndedCall[] };

/**
 * Reads the current turn from a prompt. Everything before the last user message belongs to earlier turns: the same
 * repeated request starts over. Takes time proportional to the turn, not the chat.
 */
export function readTurn(prompt: LanguageModelV4Prompt): Turn {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const asked = new Map<string, { toolName: string; input: unknown }>();
  const outcomes = new Map<string, Outcome>();
  let request = '';
  for (const message of prompt.slice(Math.max(start, 0))) {
    if (message.role === 'system') continue;
    for (const part of message.content) {
      if (part.type === 'text' && message.role === 'user') request += `${part.text}\n`;
      if (part.type === 'tool-call') asked.set(part.toolCallId, part);
      if (part.type === 'tool-result') outcomes.set(part.toolCallId, outcomeOf(part.output));
    }
  }
  const calls = [...asked].flatMap(([toolCallId, { toolName, input }]) => {
    const outcome = outcomes.get(toolCallId);
    return outcome ? [{ toolName, input, outcome }] : [];
  });
  return { request: request.slice(0, longestRequest).replace(/\s+/g, ' ').trim(), calls };
}

/** The ended calls of one tool. */
export function callsOf(turn: Turn, toolName: string): readonly EndedCall[] {
  return turn.calls.filter((call) => call.toolName === toolName);
}
