import type { Question } from '../question.ts';
import type { SearchedPage } from './approvals-api.ts';

/** The settled questions that were read so far. */
export type SettledState = {
  readonly status: 'loading' | 'ready' | 'failed';
  /** The latest asked first. */
  readonly questions: readonly Question[];
  /**
   * All questions that were read since the page was opened, with any filter. The filter's options are derived
   * from them.
   */
  readonly known: readonly Question[];
  /** How many the server looked at. */
  readonly searched: number;
  readonly cursor?: string;
};

/** An event that changes the list. */
export type SettledChange =
  | { readonly type: 'reading' | 'unreadable' }
  /** The first page or a later one was read. */
  | { readonly type: 'read' | 'read-on'; readonly page: SearchedPage }
  /** A question that belongs to the list was settled now. */
  | { readonly type: 'settled'; readonly question: Question };

/** The initial state. */
export const emptySettled: SettledState = { status: 'loading', questions: [], known: [], searched: 0 };

/** Applies one change. Results stay until new ones arrive. */
export function changeSettled(state: SettledState, change: SettledChange): SettledState {
  switch (change.type) {
    case 'reading':
      return { ...state, status: 'loading' };
    case 'unreadable':
      return { ...state, status: 'failed' };
    case 'read':
      return withPage({ ...state, questions: [], searched: 0 }, change.page);
    case 'read-on':
      return withPage(state, change.page);
    case 'settled': {
      const questions = joined(state.questions, [change.question]);
      // Questions after the last one that was read are on a later page.
      if (state.cursor !== undefined && questions.at(-1) === change.question) return state;
      return { ...state, questions, known: joined(state.known, [change.question]) };
    }
  }
}

function withPage(
  { cursor: _, ...state }: SettledState,
  { questions, searched, cursor }: SearchedPage,
): SettledState {
  return {
    status: 'ready',
    questions: joined(state.questions, questions),
    known: joined(state.known, questions),
    searched: state.searched + searched,
    cursor,
  };
}

/** Each question once, most recently asked first; equal ones stay in their order. */
function joined(before: readonly Question[], more: readonly Question[]): Question[] {
  const ids = new Set(before.map(({ id }) => id));
  const all = [...before, ...more.filter(({ id }) => !ids.has(id))];
  return all.sort(({ requestedAt: one = '' }, { requestedAt: other = '' }) =>
    one < other ? 1 : one > other ? -1 : 0,
  );
}
