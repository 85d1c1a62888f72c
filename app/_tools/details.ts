import type { AnswerOption, ApproverRule, LookupResult, Preview, RiskRating, StepUp } from 'countersign';
import type { ToolPlugins } from 'countersign/plugin';

/** The maximum length of displayed text from a model, in characters. */
const longestShown = 120;

type Rate<INPUT> = {
  rate(input: INPUT, context: { readonly history?: { readonly count: number } }): RiskRating;
}['rate'];

/** How a tool is presented, and how its calls may be handled, by plugins as well. @source A7, A10, C10, H13 */
export type ToolDetails<INPUT = unknown, OUTPUT = unknown> = ToolPlugins & {
  /** The tool's display name. */
  readonly title?: string;
  /** The kind of call on the wire. Default `function`. */
  readonly kind?: 'function' | 'mcp' | 'file_search' | 'web_search';
  /** How much harm a wrong call can do, and why. Shown with the question. */
  readonly risk?: RiskRating | Rate<INPUT>;
  /** What the call is about, such as the payee: its question says how often the asker has done the same. */
  subject?(input: INPUT): string;
  /** True if running the call twice has the same effect as running it once. */
  readonly idempotent?: boolean;
  /** False: a failed call cannot be retried. */
  readonly retryable?: boolean;
  /** Who may answer its questions. Default: the chat's owner. */
  readonly approvers?: ApproverRule;
  /** Named choices of its questions, in place of Approve and Deny. */
  readonly options?: readonly AnswerOption<INPUT>[];
  /** Says who may answer, to a person who may not. */
  readonly whoMayAnswer?: (...given: Parameters<ApproverRule>) => string;
  /** How recently the person who answers must have signed in. */
  readonly stepUp?: StepUp;
  /** True: cards ask for a reason before they send a denial. */
  readonly reasonOnDeny?: boolean;
  /** The outcome of a call whose server died, by the key it ran with; `undefined` if it is not known. */
  lookup?(idempotencyKey: string): LookupResult;
  /** One sentence about what this call will do. Called only with input that matches the tool's schema. */
  describe?(input: INPUT): string;
  /** The effect that the call would have. It must have no side effects. */
  preview?(input: INPUT): Preview | Promise<Preview>;
  /** The result in words. `resultCount` is an integer of at least 0. */
  summarize?(output: OUTPUT, input: INPUT): { summary: string; resultCount?: number };
};

/** Text from a model, made safe for a sentence: on one line, and shortened if it is long. */
export function shown(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > longestShown ? `${flat.slice(0, longestShown - 1)}…` : flat;
}

/** "1 user", "2 users". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
