import type { BatchResult } from '../../client/inbox/answer-each.ts';
import type { AnswerResult } from '../../client/inbox/answer-result.ts';
import type { InboxFilter } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import type { TimeLeft } from '../../client/text/time-left.ts';
import { useSection } from './use-section.ts';

type Refusal = Extract<AnswerResult, { type: 'refused' | 'unreachable' }>;

/** A length of time in its largest units. */
function length({ hours, minutes }: TimeLeft): string {
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : 'less than a minute';
}

/** Plain English. */
export const defaultInboxWords = {
  /** The readable name of the list of questions. */
  list: 'Open requests',
  loading: 'Loading…',
  failed: "The requests couldn't be loaded.",
  retry: 'Try again',
  /** Shown while the feed is broken. */
  reconnecting: 'Reconnecting. New requests appear when the connection is restored.',
  empty: "You're all caught up",
  emptyHint: 'Requests from all your chats appear here automatically.',
  /** Shown if no question matches the filter. */
  noMatch: 'No open requests match.',
  /** The same, while more questions can be loaded. @param loaded how many were searched */
  noMatchYet: (loaded: number): string => `No matches in the first ${loaded} open requests.`,
  /** How many are shown. @param isAtLeast more can be loaded */
  count(shown: number, all: number, isAtLeast: boolean): string {
    const total = `${all}${isAtLeast ? '+' : ''}`;
    return shown === all ? `${total} open` : `${shown} of ${total} open`;
  },
  clearFilter: 'Show all',
  filters: 'Filter requests',
  search: 'Search requests',
  tool: 'Tool',
  risk: 'Risk',
  asker: 'Asked by',
  /** The filter option that shows everything. */
  any: 'Any',
  risks: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } satisfies Record<
    NonNullable<Question['risk']>,
    string
  >,
  age: 'Asked',
  ages: {
    hour: 'In the last hour',
    day: 'In the last 24 hours',
    older: 'More than a day ago',
  } satisfies Record<NonNullable<InboxFilter['age']>, string>,
  sort: 'Order',
  oldestFirst: 'Oldest first',
  sorts: { deadline: 'Deadline first', risk: 'Highest risk first' } satisfies Record<
    NonNullable<InboxFilter['sort']>,
    string
  >,
  /** @param name of the person for whom the assistant asks */
  askedBy: (name: string): string => `for ${name}`,
  /** @param title of the question's chat */
  inChat: (title: string): string => `in “${title}”`,
  /** An argument that the sentence omits. @param name for people */
  argument: (name: string, value: string): string => `${name}: ${value}`,
  /** The argument in which questions with identical rows differ. @param name for people */
  differsIn: (name: string): string => `Differs in: ${name}`,
  /** How long a question has waited. */
  waiting: (passed: TimeLeft): string =>
    passed.hours + passed.minutes === 0 ? 'Asked just now' : `Waiting ${length(passed)}`,
  /** How long it can be answered. */
  expires: (left: TimeLeft): string => `Expires in ${length(left)}`,
  /** The readable name of the part next to the list. */
  detail: 'Request',
  /** Shown there while no question is selected. */
  chooseOne: 'Choose a request to see its details.',
  /** The label of the button back to the list. */
  back: 'Back to the list',
  previous: 'Previous',
  next: 'Next',
  /** A question's place in the list. */
  place: (index: number, of: number): string => `${index} of ${of}`,
  /** The label of a question's checkbox. */
  select: (description: string): string => `Select: ${description}`,
  selectAll: 'Select all',
  /** @param count at least 1 */
  selected: (count: number): string => `${count} selected`,
  batchReason: 'Reason',
  batchReasonHint: '(optional, shared with the assistant)',
  /** @param count at least 1 */
  denyAll: (count: number): string => `Deny ${count}`,
  denying: 'Denying…',
  /** The label of the button that opens the selected questions for review. @param count at least 1 */
  review: (count: number): string => `Review ${count}`,
  /** The heading of the review. */
  reviewing: (count: number): string => (count === 1 ? 'Answer 1 request' : `Answer ${count} requests`),
  reviewHint: 'Choose an answer for each request. Nothing is sent until you submit.',
  /** The label of the choice between the answers. */
  answerTo: (description: string): string => `Answer: ${description}`,
  /** For a question that is paused, outdated, or needs a new sign-in. */
  approveAlone: 'Open this request on its own to approve it.',
  /** @param count of questions without an answer, at least 1 */
  missing: (count: number): string =>
    count === 1 ? '1 request has no answer yet.' : `${count} requests have no answer yet.`,
  /** @param count at least 1 */
  submit: (count: number): string => (count === 1 ? 'Submit 1 answer' : `Submit ${count} answers`),
  submitting: 'Sending your answers…',
  clearSelection: 'Clear',
  /** The result of the batch. */
  batchDone({ approved, denied, settled, failed }: BatchResult): string {
    const parts = [
      approved.length > 0 && `${approved.length} approved`,
      denied.length > 0 && `${denied.length} denied`,
      settled.length > 0 && `${settled.length} decided by someone else`,
      failed.length > 0 && `${failed.length} failed`,
    ];
    return `${parts.filter(Boolean).join(', ')}.`;
  },
  refusal: (refusal: Refusal): string =>
    refusal.type === 'refused'
      ? refusal.message
      : "Not confirmed. It isn't known whether your answer was received. You can safely answer again: only the first answer counts.",
  others: 'Waiting for someone else',
  othersHint: "You can't answer these requests yourself.",
  recent: 'Recently decided',
  more: 'Show more requests',
  /** The label of the link to a question's chat. */
  openChat: 'Open the chat',
  /** The label of the link to the page of an answer. */
  openQuestion: 'Open as a page',
  /** Announced when a question is asked while the inbox is open. */
  opened: ({ title, description }: Question): string => `New request. ${title}: ${description}`,
};

/** All texts of the inbox. Pass your own for another language or tone. */
export type InboxWords = Readonly<typeof defaultInboxWords>;

/** The texts of the inbox. */
export const useInboxWords = (): InboxWords => useSection('inbox', defaultInboxWords);
