import type { Question, QuestionState } from '../../protocol/approval/approvals.ts';
import type { ApprovalId } from '../../protocol/ids/ids.ts';
import type { PlacedPage } from './pages.ts';
import type { PlacedQuestion } from './subscriptions.ts';

/** A question with its place in the feed of changes. */
export type QuestionChange = { readonly change: number; readonly question: Question };

/** Questions and the feed of their changes. */
export type QuestionStore = {
  read(id: ApprovalId): Promise<Question | undefined>;
  /** Oldest first. Without `ownerId`: of all owners. */
  list(query: {
    state: QuestionState;
    ownerId?: string;
    cursor?: string;
    limit: number;
  }): Promise<PlacedPage<Question>>;
  /**
   * Questions that are no longer open, most recently asked first. Without `ownerId`: of all owners.
   *
   * @param query.before only those asked before this time, in epoch milliseconds; a cursor is past it
   */
  settled(query: {
    ownerId?: string;
    before?: number;
    cursor?: string;
    limit: number;
  }): Promise<PlacedPage<Question>>;
  /** Open questions whose deadline is at or before `now`, the longest due first. */
  due(now: number, limit: number): Promise<Question[]>;
  /** Changes of questions after a place in the feed, oldest first; each question appears once, as it is now. */
  changes(after: number, limit: number): Promise<QuestionChange[]>;
  /**
   * Questions after a place, in order, each once: where it last changed while it was open, or where it ended. None appears later
   * at or before the last one.
   */
  feed(after: number, limit: number): Promise<readonly PlacedQuestion[]>;
  /** The newest place in the feed of changes; 0 if there is none. */
  lastChange(): Promise<number>;
};
