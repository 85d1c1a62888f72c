import type { Person, Risk } from '../../protocol/index.ts';

/** Counts of questions that are no longer open. */
export type QuestionCounts = {
  /** All of them: `approved`, `denied`, `expired` and `withdrawn`. */
  readonly settled: number;
  readonly approved: number;
  /** Of the approved ones: within three seconds. */
  readonly quick: number;
  /** Of the approved ones: with edited arguments. */
  readonly edited: number;
  readonly denied: number;
  /** The deadline passed without an answer. */
  readonly expired: number;
  /** Ended without an answer for another reason, such as a new message. */
  readonly withdrawn: number;
  /**
   * How long the answered ones waited for their answer, in milliseconds: estimates within 5 % of the exact values. Absent if none
   * was answered.
   */
  readonly waitMs?: { readonly median: number; readonly p95: number };
};

/** What can be learned from the answers of a period. @see InsightsMethods.read */
export type Insights = {
  /** The begin of the first day, UTC, in epoch milliseconds. */
  readonly since: number;
  /** The end of the last day, UTC, in epoch milliseconds. */
  readonly until: number;
  readonly timeZone: string;
  readonly all: QuestionCounts;
  /** Most questions first. Without a name: all tools that are not listed. */
  readonly tools: readonly (QuestionCounts & { readonly toolName?: string; readonly title?: string })[];
  /** Highest risk first. Without `risk`: questions without one. */
  readonly risks: readonly (QuestionCounts & { readonly risk?: Risk })[];
  /** Most answers first. Only people who answered. Without `approver`: everybody who is not listed. */
  readonly approvers: readonly (QuestionCounts & { readonly approver?: Person })[];
  /** By the hour of the day, in the time zone, in which the question was asked: 24 items. */
  readonly hours: readonly (QuestionCounts & { readonly hour: number })[];
};
