import type { NewAnswer, Question } from '../question.ts';
import { ComputedStore, keptFor, type StateStore } from '../state-store.ts';
import { answerEach, type BatchResult, denials } from './answer-each.ts';
import type { AnswerResult } from './answer-result.ts';
import {
  type ApprovalsApi,
  defaultApprovalsApi,
  parsePage,
  postAnswer,
  readOpenQuestions,
} from './approvals-api.ts';
import type { FeedConnection, FeedReader, FeedSource } from './feed/approval-feed-reader.ts';
import { readApprovalFeed } from './feed/read-approval-feed.ts';
import { filterQuestions, type InboxFilter } from './filter-questions.ts';
import { changeInbox, emptyInbox, type InboxChange, type InboxState } from './inbox-state.ts';

/** Options of an inbox. */
export type ApprovalInboxOptions = Partial<ApprovalsApi> & {
  readonly filter?: InboxFilter;
  /** How long a settled question stays in the list, in milliseconds. Default 6,000. */
  readonly leaveAfterMs?: number;
  /** The response of `GET /api/approvals?state=open`, if the server renders the inbox. Read once; the first connection updates it. Hooks ignore it once the page is hydrated: a copy may be outdated. */
  readonly sent?: unknown;
  /** A feed that the page reads already. Default: its own. */
  readonly feed?: FeedSource | undefined;
};

/** The open questions of a person from all chats, and the actions on them. */
export type ApprovalInboxState = {
  readonly status: InboxState['status'];
  readonly connection: FeedConnection;
  /** Those that this person may answer, as filtered, oldest first by default; and those settled a moment ago, in their places. */
  readonly questions: readonly Question[];
  /** Those that another person must answer. */
  readonly others: readonly Question[];
  /** Settled since the page was opened, most recent first. */
  readonly settled: readonly Question[];
  /** How many open questions this person may answer, unfiltered; a lower bound if `more` is present. */
  readonly count: number;
  /** Never rejects. @source H10 */
  readonly answer: (id: string, answer: NewAnswer) => Promise<AnswerResult>;
  /** Answers several questions, each separately. Questions already decided by others do not change. */
  readonly answerAll: (answers: ReadonlyMap<string, NewAnswer>) => Promise<BatchResult>;
  /** Denies several questions, each separately. */
  readonly denyAll: (ids: readonly string[], reason?: string) => Promise<BatchResult>;
  /** Reads the next page; absent when all are loaded. */
  readonly more: (() => void) | undefined;
  readonly refresh: () => void;
  /** Where its requests go. */
  readonly approvals: ApprovalsApi;
};

const defaultLeaveAfterMs = 6_000;
const noFilter: InboxFilter = {};

/**
 * All open questions that this person may answer, across chats, live. A store, for any framework: it follows the feed from its
 * first listener to its last. `useApprovalInbox` is the same for React.
 *
 * @source H9-H11
 */
export class Inbox implements StateStore<ApprovalInboxState> {
  readonly getState: () => ApprovalInboxState;
  readonly subscribe: (onChange: () => void) => () => void;

  readonly #store: ComputedStore<ApprovalInboxState>;
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #approvals = keptFor(
    (api: string, fetch: ApprovalsApi['fetch']): ApprovalsApi => ({ api, fetch }),
  );
  readonly #mine = keptFor((shown: readonly Question[]) => shown.filter(({ mayAnswer }) => mayAnswer));
  readonly #others = keptFor((shown: readonly Question[]) => shown.filter(({ mayAnswer }) => !mayAnswer));
  readonly #filtered = keptFor((mine: readonly Question[], filter: InboxFilter) =>
    filterQuestions(mine, filter),
  );
  readonly #actions = {
    answer: (id: string, answer: NewAnswer) => this.#answer(id, answer),
    answerAll: (answers: ReadonlyMap<string, NewAnswer>) => answerEach(answers, this.#actions.answer),
    denyAll: (ids: readonly string[], reason?: string) => this.#actions.answerAll(denials(ids, reason)),
    refresh: () => void this.#load(),
  };
  readonly #more = () => void this.#loadMore();
  #options: ApprovalInboxOptions;
  #state = emptyInbox;
  #connection: FeedConnection = 'connecting';
  #newest = 0;
  #unfollow: (() => void) | undefined;

  constructor(options: ApprovalInboxOptions = {}) {
    this.#options = options;
    const page = parsePage(options.sent);
    if (page) this.#state = changeInbox(emptyInbox, { type: 'read', ...page });
    this.#store = new ComputedStore(
      () => this.#compute(),
      () => this.#open(),
    );
    this.getState = this.#store.getState;
    this.subscribe = this.#store.subscribe;
  }

  /** Replaces the options. */
  setOptions(options: ApprovalInboxOptions): void {
    const before = this.#options;
    const hasSameFilter = textOf(before.filter) === textOf(options.filter);
    this.#options = hasSameFilter ? { ...options, filter: before.filter } : options;
    const isElsewhere = (['api', 'fetch', 'feed'] as const).some((name) => before[name] !== options[name]);
    if (isElsewhere && this.#unfollow) {
      this.#unfollow();
      this.#unfollow = this.#follow();
    }
    if (isElsewhere || !hasSameFilter) this.#store.changed();
  }

  #compute(): ApprovalInboxState {
    const { status, shown, settled, cursor } = this.#state;
    const { api = defaultApprovalsApi, fetch, filter = noFilter } = this.#options;
    const mine = this.#mine(shown);
    return {
      ...this.#actions,
      ...{ status, settled, connection: this.#connection, approvals: this.#approvals(api, fetch) },
      questions: this.#filtered(mine, filter),
      others: this.#others(shown),
      count: mine.filter(({ state }) => state === 'open').length,
      more: cursor === undefined ? undefined : this.#more,
    };
  }

  /** With the first listener. */
  #open(): () => void {
    this.#unfollow = this.#follow();
    this.#letLeave();
    return () => {
      this.#unfollow?.();
      this.#unfollow = undefined;
      for (const timer of this.#leaving.values()) clearTimeout(timer);
      this.#leaving.clear();
    };
  }

  #follow(): () => void {
    const reader: FeedReader = {
      onEvent: (event) => this.#change(event),
      onConnection: (connection) => {
        this.#connection = connection;
        this.#store.changed();
        // A list that was read before the feed started would miss questions asked in between.
        void this.#load();
      },
    };
    const { feed } = this.#options;
    return feed ? feed(reader) : readApprovalFeed(this.getState().approvals, reader);
  }

  async #load(): Promise<void> {
    this.#newest += 1;
    const reading = this.#newest;
    this.#change({ type: 'reading' });
    const page = await readOpenQuestions(this.getState().approvals, { count: this.#state.shown.length });
    // A slower, older list must not replace a newer one.
    if (reading === this.#newest) this.#change(page ? { type: 'read', ...page } : { type: 'unreadable' });
  }

  async #loadMore(): Promise<void> {
    const { cursor } = this.#state;
    if (cursor === undefined) return;
    const page = await readOpenQuestions(this.getState().approvals, { cursor });
    if (page) this.#change({ type: 'read-on', ...page });
  }

  async #answer(id: string, given: NewAnswer): Promise<AnswerResult> {
    const asked = this.#state.shown.find((question) => question.id === id);
    if (!asked)
      return { type: 'refused', code: 'not-found', message: `There is no open question ${id} here.` };
    const result = await postAnswer(this.getState().approvals, asked, given);
    if (result.type === 'answered' || result.type === 'settled') {
      const { question } = result;
      // A vote leaves its question open, and edited arguments are another question.
      this.#change({ type: question.state === 'open' ? 'opened' : 'settled', question });
    }
    // Rights may be revoked while a card is open.
    if (result.type === 'refused' && result.code !== 'invalid-request') void this.#load();
    return result;
  }

  #change(change: InboxChange): void {
    const before = this.#state;
    this.#state = changeInbox(before, change);
    const { status, shown, settled, cursor } = this.#state;
    const isShown =
      status !== before.status ||
      shown !== before.shown ||
      settled !== before.settled ||
      cursor !== before.cursor;
    if (!isShown) return;
    if (this.#unfollow) this.#letLeave();
    // Not by a timer: those of a hidden tab run once a minute, and its title counts the questions.
    this.#store.changed();
  }

  /** Removes each settled question from the list after a while. */
  #letLeave(): void {
    for (const { id, state } of this.#state.shown) {
      if (state === 'open' || this.#leaving.has(id)) continue;
      const timer = setTimeout(() => {
        this.#leaving.delete(id);
        this.#change({ type: 'left', id });
      }, this.#options.leaveAfterMs ?? defaultLeaveAfterMs);
      this.#leaving.set(id, timer);
    }
  }
}

/** Equal for equal filters: each rendering brings a new object. */
function textOf({ tool, risk, asker, age, text, sort }: InboxFilter = noFilter): string {
  return JSON.stringify({ tool, risk, asker, age, text, sort });
}
