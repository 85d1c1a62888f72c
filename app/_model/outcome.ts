import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';

/** How one call of the turn ended, as the model was told. */
export type Outcome =
  | { readonly state: 'completed'; readonly value: unknown }
  | { readonly state: 'denied'; readonly reason?: string }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'unknown'; readonly reason?: string };

/** How an outcome that nobody knows begins. @source contract H, "Errors" */
const unknownPrefix = 'outcome-unknown:';

/** How a denial's reason begins when it reaches a model. */
const deniedPrefix = 'This call was denied: ';

/** How much of an error is repeated to people, in characters. */
const longestReason = 500;

/** On one line and without a final stop, so that it can stand inside a sentence. */
function clause(text: string): string {
  return text
    .slice(0, longestReason)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
}

/** The message without class names and without the error inside it: those are for a log, not for a person. */
function plainMessage(text: string): string {
  return text
    .slice(0, longestReason)
    .replace(/^(?:\w*Error:\s*)+/, '')
    .replace(/:\s*\w*Error:[\s\S]*$/, '');
}

function failure(text: string): Outcome {
  const reason = clause(plainMessage(text));
  if (!reason.startsWith(unknownPrefix)) return { state: 'failed', reason };
  return { state: 'unknown', reason: clause(reason.slice(unknownPrefix.length)) || undefined };
}

/** Reads a tool result of the prompt. */
export function outcomeOf(output: LanguageModelV4ToolResultOutput): Outcome {
  switch (output.type) {
    case 'text':
    case 'json':
      return { state: 'completed', value: output.value };
    case 'content':
      return {
        state: 'completed',
        value: output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      };
    case 'execution-denied':
      return { state: 'denied', reason: output.reason && clause(output.reason.replace(deniedPrefix, '')) };
    case 'error-text':
      return failure(output.value);
    case 'error-json':
      return failure(typeof output.value === 'string' ? output.value : JSON.stringify(output.value));
    default:
      return output satisfies never;
  }
}

/** Why a call did not complete, in brackets, or nothing: " (too expensive)". */
export function bracketed(reason: string | undefined): string {
  return reason ? ` (${reason})` : '';
}
