import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import type { BatchResult } from '../../client/inbox/deny-each.ts';
import type { Question } from '../../client/question.ts';

type Refusal = Extract<AnswerResult, { type: 'refused' | 'unreachable' }>;

/** Everything that the inbox says by itself. Give your own for another language or another voice. */
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
  /** The choice of a filter that lets everything through. */
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
  /** Said aloud when one is asked while the inbox is open. */
  opened(question: Question): string;
};

/** Plain English. */
export const defaultInboxWords: InboxWords = {
  list: 'Open questions',
  loading: 'Loading…',
  failed: 'The questions could not be loaded.',
  retry: 'Try again',
  reconnecting: 'Reconnecting. New questions come as soon as the server is back.',
  empty: 'Nothing waits for you',
  emptyHint: 'Questions that you may answer appear here by themselves, from all chats.',
  noMatch: 'No open question matches.',
  clearFilter: 'Show all',
  filters: 'Filter questions',
  search: 'Search questions',
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
  batchReasonHint: 'optional, the assistant is told',
  denyAll: (count) => `Deny ${count}`,
  denying: 'Denying…',
  clearSelection: 'Clear',
  batchDone({ denied, settled, failed }) {
    const parts = [
      `${denied.length} denied`,
      settled.length > 0 && `${settled.length} settled by others first`,
      failed.length > 0 && `${failed.length} not taken`,
    ];
    return `${parts.filter(Boolean).join(', ')}.`;
  },
  refusal: (refusal) =>
    refusal.type === 'refused'
      ? refusal.message
      : 'The server could not be reached. Answering again is harmless: the first answer counts.',
  others: 'Waiting for somebody else',
  othersHint: 'You may not answer these yourself.',
  recent: 'Settled just now',
  more: 'Show more questions',
  openChat: 'Open the chat',
  opened: ({ title, description }) => `New question. ${title}: ${description}`,
};
