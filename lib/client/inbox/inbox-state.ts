import type { Question } from '../question.ts';
import type { QuestionPage } from './approvals-api.ts';

/** The open questions, and those that were settled recently. */
export type InboxState = {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Open questions, oldest first, and recently settled ones, still in their places. */
  readonly shown: readonly Question[];
  /** Settled ones that have left the list, most recent first. */
  readonly settled: readonly Question[];
  /** Where the next page begins; absent if all are loaded. */
  readonly cursor?: string;
  /** Questions that opened since the last read of the list began, and that it may lack. */
  readonly fresh: ReadonlySet<string>;
};

/** An event that changes the inbox. */
export type InboxChange =
  | { readonly type: 'reading' }
  | { readonly type: 'unreadable' }
  /** The list was read from its start. */
  | ({ readonly type: 'read' } & QuestionPage)
  /** The next page was read. */
  | ({ readonly type: 'read-on' } & QuestionPage)
  | { readonly type: 'opened' | 'settled'; readonly question: Question }
  /** A settled question has been shown long enough. */
  | { readonly type: 'left'; readonly id: string };

/** The initial state. */
export const emptyInbox: InboxState = { status: 'loading', shown: [], settled: [], fresh: new Set() };

/** How many settled questions are kept, to check outdated lists against them. */
const settledKept = 50;

/** Applies one change. Lists and events may arrive in any order: a settled question never reopens. */
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

/** The feed sends an open question again when its tool is paused or resumed, and when a person has answered it. */
function refreshed(state: InboxState, question: Question): InboxState {
  const known = state.shown.find(({ id }) => id === question.id);
  if (known?.state !== 'open' || question.state !== 'open') return state;
  const given = (one: Question) => one.answers?.length ?? 0;
  const shown = ({ paused, plugins, answers }: Question) =>
    JSON.stringify([paused, plugins, answers?.length]);
  const isSame = shown(known) === shown(question);
  // The feed may be behind the response to an answer.
  if (isSame || given(question) < given(known)) return state;
  return { ...state, shown: state.shown.map((one) => (one === known ? question : one)) };
}

function settle(state: InboxState, question: Question): InboxState {
  const known = state.shown.find(({ id }) => id === question.id);
  // The feed repeats what the response to the answer contained, or less.
  if (known && known.state !== 'open') return state;
  if (known) {
    // It stays in its list, because a settled question cannot be answered.
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
