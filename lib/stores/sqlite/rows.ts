import { createRowParsers } from '../rows.ts';

/** The hour that contains a time given in milliseconds. Chats are indexed by it, because it seldom changes. */
export function hourOf(at: number): number {
  return Math.floor(at / 3_600_000);
}

/** Ids of questions and grants are stored as they are. */
export const { toHead, toQuestion, toQuestionChange, toGrant, toUsedGrant } = createRowParsers((id) => id);
