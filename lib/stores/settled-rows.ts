import type { PlacedPage, QuestionStore } from '../log/store/index.ts';
import type { Question, QuestionState } from '../protocol/index.ts';
import { lastPlace, type Place, placedPageOf, readCursor } from './cursor.ts';
import { placeOfQuestion, type Row } from './rows.ts';

const finalStates: Readonly<Record<Exclude<QuestionState, 'open'>, true>> = {
  approved: true,
  denied: true,
  superseded: true,
  expired: true,
  cancelled: true,
  'tool-changed': true,
  withdrawn: true,
  'asked-again': true,
};

/** The states of questions that are no longer open. The indexes of questions begin with one of them. */
export const settledStates: readonly string[] = Object.keys(finalStates);

type Query = Parameters<QuestionStore['settled']>[0];

/** The start of a page of settled questions. */
export function settledPlace({ cursor, before }: Pick<Query, 'cursor' | 'before'>): Place {
  if (cursor !== undefined) return readCursor(cursor);
  return before === undefined ? lastPlace : { at: before, row: -1 };
}

/** A page, most recently asked first. @param rows of every state the latest `limit + 1`, unordered */
export function settledPage(
  rows: readonly Row[],
  limit: number,
  toQuestion: (row: Row) => Question,
): PlacedPage<Question> {
  const placed = rows.map((row) => ({ row, place: placeOfQuestion(row) }));
  placed.sort(({ place: one }, { place: other }) => other.at - one.at || other.row - one.row);
  const latest = placed.slice(0, limit + 1).map(({ row }) => row);
  return placedPageOf(latest, limit, toQuestion, placeOfQuestion);
}
