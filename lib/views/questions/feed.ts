import type { QuestionView } from '../../rights/question-rights.ts';

/**
 * A question that opened or settled, or of which a plugin says something else, as it is now, and its place in the feed. Without a
 * place, it is repeated because a tool was paused or unpaused.
 */
export type FedView = { readonly place?: string; readonly question: QuestionView };

/**
 * Questions as they open, change and settle, and the place after which they start. Places are valid only for this
 * principal, have a fixed length, and reveal nothing about others.
 */
export type ApprovalFeed = {
  readonly after: string;
  readonly changes: ReadableStream<FedView>;
  /** The same for feeds of equal principals, and reveals nothing about them. */
  readonly reader: string;
};
