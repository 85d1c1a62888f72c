import type { Question } from '../question.ts';
import type { QuestionPage } from './approvals-api.ts';

/** What is known of the open questions, and of those that were settled lately. */
export type InboxState = {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Open ones, oldest first; and those that were settled a moment ago, still in their places. */
  readonly shown: readonly Question[];
  /** Settled ones that have left, the last one first. */
  readonly settled: readonly Question[];
  /** Where the next page begins; left out when all are here. */
  readonly cursor?: string;
  /** Opened since the last reading of the list began, which may not know of them. */
  readonly fresh: ReadonlySet<string>;
};

/** What can happen to an inbox. */
export type InboxChange =
  | { readonly type: 'reading' }
  | { readonly type: 'unreadable' }
  /** The list from its start. */
  | ({ readonly type: 'read' } & QuestionPage)
  /** What comes after. */
  | ({ readonly type: 'read-on' } & QuestionPage)
  | { readonly type: 'opened' | 'settled'; readonly question: Question }
  /** A settled question was looked at for long enough. */
  | { readonly type: 'left'; readonly id: string };

/** Nothing is known yet. */
export const emptyInbox: InboxState = { status: 'loading', shown: [], settled: [], fresh: new Set() };

/** As many as a person looks back at. Also what a list that was read too early is held against. */
const settledKept = 50;

/** Applies one change. Whatever the order in which lists and events arrive, a settled question never opens again. */
export function changeInbox(state: InboxState, change: InboxChange): InboxState {
  switch (change.type) {
    case 'reading':
      return { ...state, fresh: new Set() };
    case 'unreadable':
      return { ...state, status: state.status === 'ready' ? 'ready' : 'failed' };
    case 'read': {
      const kept = state.shown.filter(({ id, state: now }) => now !== 'open' || state.fresh.has(id));
      return withPage(state, kept, change);
    }
    case 'read-on':
      return withPage(state, state.shown, change);
    case 'opened':
      if (knows(state, change.question.id)) return refreshed(state, change.question);
      return {
        ...state,
        shown: sorted([...state.shown, change.question]),
        fresh: new Set([...state.fresh, change.question.id]),
      };
    case 'settled':
      return settle(state, change.question);
    case 'left': {
      const gone = state.shown.find(({ id, state: now }) => id === change.id && now !== 'open');
      if (!gone) return state;
      return {
        ...state,
        shown: state.shown.filter((question) => question !== gone),
        settled: [gone, ...state.settled].slice(0, settledKept),
      };
    }
  }
}

/** An open question comes again when what may be done with it has changed: its tool is paused, or no longer. */
function refreshed(state: InboxState, question: Question): InboxState {
  const known = state.shown.find(({ id }) => id === question.id);
  if (known?.state !== 'open' || known.paused?.reason === question.paused?.reason) return state;
  return { ...state, shown: state.shown.map((one) => (one === known ? question : one)) };
}

function settle(state: InboxState, question: Question): InboxState {
  const known = state.shown.find(({ id }) => id === question.id);
  // The feed tells again what an answer's own response told, or less of it.
  if (known && known.state !== 'open') return state;
  if (known) {
    // It stays in its list, whatever rights are left to a settled question.
    const settled = { ...question, mayAnswer: known.mayAnswer };
    return { ...state, shown: state.shown.map((one) => (one === known ? settled : one)) };
  }
  if (state.settled.some(({ id }) => id === question.id)) return state;
  return { ...state, settled: [question, ...state.settled].slice(0, settledKept) };
}

function withPage(
  state: InboxState,
  kept: readonly Question[],
  { questions, cursor }: QuestionPage,
): InboxState {
  const known = new Set([...kept, ...state.settled].map(({ id }) => id));
  const { status, cursor: _, ...rest } = state;
  return {
    ...rest,
    status: 'ready',
    shown: sorted([...kept, ...questions.filter(({ id }) => !known.has(id))]),
    ...(cursor !== undefined && { cursor }),
  };
}

function knows({ shown, settled }: InboxState, wanted: string): boolean {
  return [...shown, ...settled].some(({ id }) => id === wanted);
}

/** Oldest first. Times are ISO 8601 in UTC, so texts compare as times do. */
function sorted(questions: readonly Question[]): Question[] {
  return [...questions].sort(
    (a, b) => compare(a.requestedAt ?? '', b.requestedAt ?? '') || compare(a.id, b.id),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
