import type { BatchResult } from '../../client/inbox/answer-each.ts';
import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import type { InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import type { TimeLeft } from '../../client/text/time-left.ts';

type Refusal = Extract<AnswerResult, { type: 'refused' | 'unreachable' }>;

/** All texts of the inbox. Pass your own for another language or tone. */
export type InboxWords = {
  /** The readable name of the list of questions. */
  list: string;
  loading: string;
  failed: string;
  retry: string;
  /** Shown while the feed is broken. */
  reconnecting: string;
  empty: string;
  emptyHint: string;
  /** Shown if no question matches the filter. */
  noMatch: string;
  /** The same, while more questions can be loaded. @param loaded how many were searched */
  noMatchYet(loaded: number): string;
  /** How many are shown. @param isAtLeast more can be loaded */
  count(shown: number, all: number, isAtLeast: boolean): string;
  clearFilter: string;
  filters: string;
  search: string;
  tool: string;
  risk: string;
  asker: string;
  /** The filter option that shows everything. */
  any: string;
  risks: { readonly [Risk in NonNullable<Question['risk']>]: string };
  age: string;
  ages: { readonly [Age in NonNullable<InboxFilter['age']>]: string };
  sort: string;
  oldestFirst: string;
  sorts: { readonly [Sort in NonNullable<InboxFilter['sort']>]: string };
  /** @param name of the person for whom the assistant asks */
  askedBy(name: string): string;
  /** @param title of the question's chat */
  inChat(title: string): string;
  /** An argument that the sentence omits. @param name for people */
  argument(name: string, value: string): string;
  /** The argument in which questions with identical rows differ. @param name for people */
  differsIn(name: string): string;
  /** How long a question has waited. */
  waiting(passed: TimeLeft): string;
  /** How long it can be answered. */
  expires(left: TimeLeft): string;
  /** The readable name of the part next to the list. */
  detail: string;
  /** Shown there while no question is selected. */
  chooseOne: string;
  /** The label of the button back to the list. */
  back: string;
  previous: string;
  next: string;
  /** A question's place in the list. */
  place(index: number, of: number): string;
  /** The label of a question's checkbox. */
  select(description: string): string;
  selectAll: string;
  /** @param count at least 1 */
  selected(count: number): string;
  batchReason: string;
  batchReasonHint: string;
  /** @param count at least 1 */
  denyAll(count: number): string;
  denying: string;
  /** The label of the button that opens the selected questions for review. @param count at least 1 */
  review(count: number): string;
  /** The heading of the review. */
  reviewing(count: number): string;
  reviewHint: string;
  /** The label of the choice between the answers. */
  answerTo(description: string): string;
  /** For a question that is paused, outdated, or needs a new sign-in. */
  approveAlone: string;
  /** @param count of questions without an answer, at least 1 */
  missing(count: number): string;
  /** @param count at least 1 */
  submit(count: number): string;
  submitting: string;
  clearSelection: string;
  /** The result of the batch. */
  batchDone(result: BatchResult): string;
  refusal(refusal: Refusal): string;
  others: string;
  othersHint: string;
  recent: string;
  more: string;
  /** The label of the link to a question's chat. */
  openChat: string;
  /** The label of the link to the page of an answer. */
  openQuestion: string;
  /** Announced when a question is asked while the inbox is open. */
  opened(question: Question): string;
};

/** A length of time in its largest units. */
function length({ hours, minutes }: TimeLeft): string {
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : 'less than a minute';
}

/** Plain English. */
export const defaultInboxWords: InboxWords = {
  list: 'Open requests',
  loading: 'Loading…',
  failed: "The requests couldn't be loaded.",
  retry: 'Try again',
  reconnecting: 'Reconnecting. New requests appear when the connection is restored.',
  empty: "You're all caught up",
  emptyHint: 'Requests from all your chats appear here automatically.',
  noMatch: 'No open requests match.',
  noMatchYet: (loaded) => `No matches in the first ${loaded} open requests.`,
  count(shown, all, isAtLeast) {
    const total = `${all}${isAtLeast ? '+' : ''}`;
    return shown === all ? `${total} open` : `${shown} of ${total} open`;
  },
  clearFilter: 'Show all',
  filters: 'Filter requests',
  search: 'Search requests',
  tool: 'Tool',
  risk: 'Risk',
  asker: 'Asked by',
  any: 'Any',
  risks: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' },
  age: 'Asked',
  ages: { hour: 'In the last hour', day: 'In the last 24 hours', older: 'More than a day ago' },
  sort: 'Order',
  oldestFirst: 'Oldest first',
  sorts: { deadline: 'Deadline first', risk: 'Highest risk first' },
  askedBy: (name) => `for ${name}`,
  inChat: (title) => `in “${title}”`,
  argument: (name, value) => `${name}: ${value}`,
  differsIn: (name) => `Differs in: ${name}`,
  waiting: (passed) => (passed.hours + passed.minutes === 0 ? 'Asked just now' : `Waiting ${length(passed)}`),
  expires: (left) => `Expires in ${length(left)}`,
  detail: 'Request',
  chooseOne: 'Choose a request to see its details.',
  back: 'Back to the list',
  previous: 'Previous',
  next: 'Next',
  place: (index, of) => `${index} of ${of}`,
  select: (description) => `Select: ${description}`,
  selectAll: 'Select all',
  selected: (count) => `${count} selected`,
  batchReason: 'Reason',
  batchReasonHint: '(optional, shared with the assistant)',
  denyAll: (count) => `Deny ${count}`,
  denying: 'Denying…',
  review: (count) => `Review ${count}`,
  reviewing: (count) => (count === 1 ? 'Answer 1 request' : `Answer ${count} requests`),
  reviewHint: 'Choose an answer for each request. Nothing is sent until you submit.',
  answerTo: (description) => `Answer: ${description}`,
  approveAlone: 'Open this request on its own to approve it.',
  missing: (count) =>
    count === 1 ? '1 request has no answer yet.' : `${count} requests have no answer yet.`,
  submit: (count) => (count === 1 ? 'Submit 1 answer' : `Submit ${count} answers`),
  submitting: 'Sending your answers…',
  clearSelection: 'Clear',
  batchDone({ approved, denied, settled, failed }) {
    const parts = [
      approved.length > 0 && `${approved.length} approved`,
      denied.length > 0 && `${denied.length} denied`,
      settled.length > 0 && `${settled.length} decided by someone else`,
      failed.length > 0 && `${failed.length} failed`,
    ];
    return `${parts.filter(Boolean).join(', ')}.`;
  },
  refusal: (refusal) =>
    refusal.type === 'refused'
      ? refusal.message
      : "Not confirmed. It isn't known whether your answer was received. You can safely answer again: only the first answer counts.",
  others: 'Waiting for someone else',
  othersHint: "You can't answer these requests yourself.",
  recent: 'Recently decided',
  more: 'Show more requests',
  openChat: 'Open the chat',
  openQuestion: 'Open as a page',
  opened: ({ title, description }) => `New request. ${title}: ${description}`,
};
