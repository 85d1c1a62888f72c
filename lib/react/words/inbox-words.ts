import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import type { BatchResult } from '../../client/inbox/deny-each.ts';
import type { Question } from '../../client/question.ts';

type Refusal = Extract<AnswerResult, { type: 'refused' | 'unreachable' }>;

/** All texts of the inbox. Pass your own for another language or tone. */
export type InboxWords = {
  /** Names the list of questions. */
  list: string;
  loading: string;
  failed: string;
  retry: string;
  /** Shown while the feed is broken. */
  reconnecting: string;
  empty: string;
  emptyHint: string;
  /** No question passes the filter. */
  noMatch: string;
  clearFilter: string;
  filters: string;
  search: string;
  tool: string;
  risk: string;
  asker: string;
  /** The choice of a filter that shows everything. */
  any: string;
  risks: { readonly [Risk in NonNullable<Question['risk']>]: string };
  /** @param name of the person for whom the assistant asks */
  askedBy(name: string): string;
  /** Names the checkbox of a question. */
  select(description: string): string;
  selectAll: string;
  /** @param count at least 1 */
  selected(count: number): string;
  batchReason: string;
  batchReasonHint: string;
  /** @param count at least 1 */
  denyAll(count: number): string;
  denying: string;
  clearSelection: string;
  /** What came of it. */
  batchDone(result: BatchResult): string;
  refusal(refusal: Refusal): string;
  others: string;
  othersHint: string;
  recent: string;
  more: string;
  /** Names the link to the chat of a question. */
  openChat: string;
  /** Announced when a question is asked while the inbox is open. */
  opened(question: Question): string;
};

/** Plain English. */
export const defaultInboxWords: InboxWords = {
  list: 'Open requests',
  loading: 'Loading…',
  failed: "The requests couldn't be loaded.",
  retry: 'Try again',
  reconnecting: 'Reconnecting. New requests appear when the connection is back.',
  empty: "You're all caught up",
  emptyHint: 'Requests from all your chats appear here automatically.',
  noMatch: 'No open request matches.',
  clearFilter: 'Show all',
  filters: 'Filter requests',
  search: 'Search requests',
  tool: 'Tool',
  risk: 'Risk',
  asker: 'Asked by',
  any: 'Any',
  risks: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' },
  askedBy: (name) => `for ${name}`,
  select: (description) => `Select: ${description}`,
  selectAll: 'Select all',
  selected: (count) => `${count} selected`,
  batchReason: 'Reason',
  batchReasonHint: '(optional, shared with the assistant)',
  denyAll: (count) => `Deny ${count}`,
  denying: 'Denying…',
  clearSelection: 'Clear',
  batchDone({ denied, settled, failed }) {
    const parts = [
      `${denied.length} denied`,
      settled.length > 0 && `${settled.length} decided by someone else`,
      failed.length > 0 && `${failed.length} failed`,
    ];
    return `${parts.filter(Boolean).join(', ')}.`;
  },
  refusal: (refusal) =>
    refusal.type === 'refused'
      ? refusal.message
      : "The server couldn't be reached. You can safely answer again: only the first answer counts.",
  others: 'Waiting for someone else',
  othersHint: "You can't answer these requests yourself.",
  recent: 'Recently decided',
  more: 'Show more requests',
  openChat: 'Open the chat',
  opened: ({ title, description }) => `New request. ${title}: ${description}`,
};
