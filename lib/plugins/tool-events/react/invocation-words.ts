import type { ToolInvocation } from '../client/index.ts';

/** All texts of `ToolInvocation`. Pass your own for another language or tone. */
export type InvocationWords = {
  /** The tool's name for people. */
  name(invocation: ToolInvocation): string;
  /** The status while it executes. */
  executing(invocation: ToolInvocation): string;
  /** The badge. @param count a whole number of at least 0, and not 1 */
  results(count: number): string;
  /** Shown after an error if the person may retry. */
  mayRetry: string;
  /** How often it was tried, at a failure after an automatic retry. */
  attempts(attempt: number, of: number): string;
  /** The button that makes the call again. */
  retry: string;
  input: string;
  output: string;
  /** Shown in place of a missing output. */
  noOutput: string;
  /** Shown while a long output is read. */
  readingOutput: string;
  /** Shown in place of an invocation that could not be laid out. */
  unshown: string;
  /** The button that shows its JSON. */
  showJson: string;
};

/** Plain English. A tool with "search" in its name searches; any other works. */
export const defaultInvocationWords: InvocationWords = {
  name: ({ toolName }) => sentenceCase(toolName),
  executing: ({ toolName }) => (/search/i.test(toolName) ? 'Searching…' : 'Working…'),
  results: (count) => `${count} ${count === 1 ? 'result' : 'results'}`,
  mayRetry: 'You can try again.',
  attempts: (attempt, of) => `Attempt ${attempt} of ${of}`,
  retry: 'Try again',
  input: 'Arguments',
  output: 'Output',
  noOutput: 'No output',
  readingOutput: 'Loading…',
  unshown: "This couldn't be displayed. Its exact content is in the JSON.",
  showJson: 'Show JSON',
};

/** `file_search`, `semanticSearch` → “File search”, “Semantic search”. */
function sentenceCase(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
