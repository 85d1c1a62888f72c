import type { Engine } from './engine.ts';
import { expireIfDue } from './expiry.ts';

const defaultSweepMs = 3_000;
const batchSize = 100;

/**
 * What happens by the clock alone, done by whichever instance comes first: runs whose owner is gone are taken
 * over, due questions expire, and chats past the retention period are erased.
 *
 * @returns a function that ends it
 * @source contract H12; DESIGN, "The idea"
 */
export function keepSweeping(engine: Engine): () => void {
  const { clock, logger, settings } = engine;
  const sweepMs = settings.sweepMs ?? defaultSweepMs;
  let cancel = clock.after(sweepMs, beat);

  function beat(): void {
    void sweep(engine)
      .catch((error: unknown) => logger.warn('A sweep failed; the next one tries again.', nameOf(error)))
      .finally(() => {
        if (!ended) cancel = clock.after(sweepMs, beat);
      });
  }

  let ended = false;
  return () => {
    ended = true;
    cancel();
  };
}

/** One sweep. @see keepSweeping */
export async function sweep(engine: Engine): Promise<void> {
  const { store, clock, settings, transcripts } = engine;
  await engine.recover();
  for (const question of await store.dueQuestions(clock.now(), batchSize))
    await expireIfDue(engine, question);
  if (settings.retentionMs === undefined) return;
  const before = clock.now() - settings.retentionMs;
  for (const chatId of await store.staleChats(before, batchSize)) {
    await store.erase(chatId, 'retention', clock.now());
    transcripts.forget(chatId);
  }
}

function nameOf(error: unknown): Record<string, unknown> {
  return error instanceof Error ? { name: error.name, message: error.message } : {};
}
