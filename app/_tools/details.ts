import type { ApproverRule, LookupResult, StepUp } from 'countersign';

/** The most that is shown of a text that came from a model, in characters. */
const longestShown = 120;

/** What people are told about one tool, and how its calls may be treated. @source contracts A7, A10, C10, H13 */
export type ToolDetails<INPUT = unknown, OUTPUT = unknown> = {
  /** The tool's name for people. */
  readonly title?: string;
  /** How the call is presented on the wire; `function` when absent. */
  readonly kind?: 'function' | 'mcp' | 'file_search' | 'web_search';
  /** How much harm a wrong call does. Shown with the question. */
  readonly risk?: 'low' | 'medium' | 'high';
  /** True when running the call twice has the effect of running it once. */
  readonly idempotent?: boolean;
  /** False keeps a failed call from being tried again. */
  readonly retryable?: boolean;
  /** Who may answer questions about it; the chat's owner when absent. */
  readonly approvers?: ApproverRule;
  /** How recent the sign-in of whoever answers must be. */
  readonly stepUp?: StepUp;
  /** True: each call is asked about, and no approval of it is remembered. */
  readonly neverRemember?: boolean;
  /** What became of a call whose server died, by the key it ran with; `undefined` when that cannot be said. */
  lookup?(idempotencyKey: string): LookupResult;
  /** One sentence saying what this call will do. Given only an input that fits the tool's schema. */
  describe?(input: INPUT): string;
  /** What came out, for people; `resultCount` is a whole number of at least 0. */
  summarize?(output: OUTPUT, input: INPUT): { summary: string; resultCount?: number };
};

/** A text from a model as it may stand in a sentence for people: on one line, and cut when it is long. */
export function shown(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > longestShown ? `${flat.slice(0, longestShown - 1)}…` : flat;
}

/** "1 user", "2 users". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
