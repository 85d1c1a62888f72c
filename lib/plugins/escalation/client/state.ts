import type { AtDeadline } from '../../../protocol/index.ts';

/**
 * What a question says of its escalation: what was planned when it was asked, and how far that has come. Times are ISO 8601 in UTC.
 * The rules of its steps are those of the current settings.
 *
 * @source ADR 0048
 */
export type EscalationState = {
  /** In the order of their times. */
  readonly steps: readonly {
    readonly at: string;
    readonly label?: string;
    readonly remindEveryMs?: number;
  }[];
  /** What happens at the question's `deadline`. Absent: the escalation has no end, or the deadline is earlier. */
  readonly end?: { readonly at: string; readonly then: AtDeadline };
  /** The last step that was recorded, counted from 1. 0 before the first. */
  readonly step: number;
  /** When that step was recorded. */
  readonly at?: string;
  /** Whom that step added. */
  readonly label?: string;
  /** How many reminders were recorded. Absent before the first. */
  readonly reminders?: number;
  /** When the next step or reminder is due. */
  readonly nextAt?: string;
};

declare module '../../../flow/plugin/index.ts' {
  interface QuestionPlugins {
    /** Present if the question is escalated until it is answered. @source ADR 0048 */
    readonly escalation?: EscalationState;
  }
}
