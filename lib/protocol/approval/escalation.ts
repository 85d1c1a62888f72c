/**
 * What happens at the end of an escalation. No value approves.
 *
 * @source ADR 0048
 */
export type EscalationEnd = 'deny' | 'withdraw' | 'ask-again';

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
  /** What happens at the question's `deadline`. Absent: the escalation has no end, or the deadline is earlier. */
  readonly end?: EscalationEnd;
};

/** How far the escalation of a question has come. Times are epoch milliseconds. @source ADR 0048 */
export type EscalationState = {
  /** The last step that was recorded, counted from 1. 0 before the first. */
  readonly step: number;
  /** The number of steps. */
  readonly of: number;
  /** When that step was recorded. */
  readonly at?: number;
  /** Whom that step added, in the words of the settings. */
  readonly label?: string;
  /** How many reminders were recorded. Absent before the first. */
  readonly reminders?: number;
  /** When the next step or reminder is due. Absent if there is none, and once the question is settled. */
  readonly nextAt?: number;
  /** What happens at the question's `deadline`. */
  readonly end?: EscalationEnd;
};
