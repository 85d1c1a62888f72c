import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';

/** How one call of the turn ended, as the model received it. */
export type Outcome =
  | { readonly state: 'completed'; readonly value: unknown }
  | { readonly state: 'denied'; readonly reason?: string }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'unknown'; readonly reason?: string };

/** The prefix of an unknown outcome. @source H-Errors */
const unknownPrefix = 'outcome-unknown:';

/** The prefix of a denial's reason in a prompt. */
const deniedPrefix = 'This call was denied: ';

/** What a person said with an approval: before a result, or after a failure. */
const approvalNote = /(?:^|\n\n)This call was approved[.:][\s\S]*$/;

/** The maximum length of an error in a reply, in characters. */
const longestReason = 500;

/** One line without a final full stop, so that it fits into a sentence. */
function clause(text: string): string {
  return text
    .slice(0, longestReason)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
}

/** The message without class names and nested errors, which belong in a log. */
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

/** A result as the tool returned it, without what a person said with the approval, which turns it into a text. */
function resultIn(text: string): unknown {
  const [first = '', ...rest] = text.split('\n\n');
  if (!approvalNote.test(first)) return text;
  // The person's reason may have empty lines, too.
  for (let at = 0; at < rest.length; at += 1) {
    try {
      return JSON.parse(rest.slice(at).join('\n\n'));
    } catch {}
  }
  return rest.join('\n\n');
}

/** The texts of a result. */
function textsOf(parts: Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Parses a tool result of the prompt. */
export function outcomeOf(output: LanguageModelV4ToolResultOutput): Outcome {
  switch (output.type) {
    case 'json':
      return { state: 'completed', value: output.value };
    case 'text':
      return { state: 'completed', value: resultIn(output.value) };
    case 'content':
      return { state: 'completed', value: resultIn(textsOf(output.value)) };
    case 'execution-denied':
      return { state: 'denied', reason: output.reason && clause(output.reason.replace(deniedPrefix, '')) };
    case 'error-text':
      return failure(output.value.replace(approvalNote, ''));
    case 'error-json':
      return failure(typeof output.value === 'string' ? output.value : JSON.stringify(output.value));
    default:
      return output satisfies never;
  }
}

/** The reason why a call did not complete, in brackets, or nothing: " (too expensive)". */
export function bracketed(reason: string | undefined): string {
  return reason ? ` (${reason})` : '';
}
