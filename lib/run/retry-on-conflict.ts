import { Conflict } from '../log/conflict.ts';
import { type ChatId, CountersignError } from '../protocol/index.ts';
import type { Transcripts } from '../views/transcripts.ts';

/** If many write to a chat at the same time, one of them wins in each round. */
const mostRounds = 50;

type Parts = { readonly transcripts: Transcripts };

/**
 * Rounds of a decision. A round without a result is followed by another.
 *
 * @returns what passes a conflict on, and throws other errors
 */
export function* roundsFor({ transcripts }: Parts, chatId: ChatId): Generator<(error: unknown) => undefined> {
  for (let round = 0; round < mostRounds; round += 1) {
    yield (error) => {
      if (!Conflict.is(error)) throw error;
      transcripts.forget(chatId);
    };
  }
}

/** The error when every round has ended without a result. */
export function tooBusy(chatId: ChatId): CountersignError {
  return new CountersignError('internal', `Chat ${chatId} is too busy. Try again.`, { chatId });
}

/** Calls `decide`, and repeats it after a conflict or if it returns `undefined`. */
export async function retryOnConflict<Result>(
  parts: Parts,
  chatId: ChatId,
  decide: () => Promise<Result | undefined>,
): Promise<Result> {
  for (const passConflict of roundsFor(parts, chatId)) {
    const result = await decide().catch(passConflict);
    if (result !== undefined) return result;
  }
  throw tooBusy(chatId);
}
