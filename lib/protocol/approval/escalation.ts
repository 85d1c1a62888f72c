import type { QuestionFields } from '../wire/question.ts';

/**
 * What happens to a question while nobody answers it, as it was recorded when the question was asked. Times are epoch
 * milliseconds. The rules of its steps are those of the current settings.
 *
 * @source ADR 0048
 */
export type EscalationPlan = {
  /** In the order of their times. */
  readonly steps: readonly {
    readonly at: number;
    readonly label?: string;
    readonly remindEveryMs?: number;
  }[];
};

/** How far the escalation of a question has come. Times are epoch milliseconds. @source ADR 0048 */
export type EscalationState = NonNullable<QuestionFields['escalation']>;
