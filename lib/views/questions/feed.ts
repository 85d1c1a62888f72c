import type { QuestionView } from '../../rights/question-rights.ts';

/**
 * A question that opened or settled, as it is now, and its place in the feed. Without a place it comes again, because a
 * tool was paused or unpaused.
 */
export type FedView = { readonly place?: string; readonly question: QuestionView };

/**
 * Questions as they open and settle, and the place that they follow. Places are for this principal alone, have one
 * length, and say nothing about others.
 */
export type ApprovalFeed = { readonly after: string; readonly changes: ReadableStream<FedView> };
