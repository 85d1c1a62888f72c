import { Conflict } from '../log/conflict.ts';
import { type ChatId, CountersignError } from '../protocol/index.ts';
import type { Transcripts } from '../views/transcripts.ts';

/** If many write to a chat at the same time, one of them wins in each round. */
const rounds = 50;

/** Calls `decide`, and repeats it after a conflict or if it returns `undefined`. @param args passed on to `decide` */
export async function retryOnConflict<Result, Args extends readonly unknown[]>(
  { transcripts }: { readonly transcripts: Transcripts },
  chatId: ChatId,
  decide: (...args: Args) => Promise<Result | undefined>,
  ...args: Args
): Promise<Result> {
  for (let round = 0; round < rounds; round += 1) {
    try {
      const result = await decide(...args);
      if (result !== undefined) return result;
    } catch (error) {
      if (!Conflict.is(error)) throw error;
      transcripts.forget(chatId);
    }
  }
  throw new CountersignError('internal', `Chat ${chatId} is too busy. Try again.`, { chatId });
}
