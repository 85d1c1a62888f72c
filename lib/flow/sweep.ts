import { errorFacts } from '../vocabulary/index.ts';
import type { Engine } from './engine.ts';
import { expireDue } from './expiry.ts';

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
  const { store, clock, logger, settings } = engine;
  const sweepMs = settings.sweepMs ?? defaultSweepMs;
  let cancel = clock.after(sweepMs, beat);
  // An instance that goes away says so: whoever hears it goes on at once.
  const endListening = store.subscribe(({ reason }) => {
    if (reason === 'release') void engine.recover().catch(warn);
  });

  function warn(error: unknown): void {
    logger.warn('A sweep failed; the next one tries again.', { error: errorFacts(error) });
  }

  function beat(): void {
    void sweep(engine)
      .catch(warn)
      .finally(() => {
        if (!ended) cancel = clock.after(sweepMs, beat);
      });
  }

  let ended = false;
  return () => {
    ended = true;
    endListening();
    cancel();
  };
}

/** One sweep. @see keepSweeping */
export async function sweep(engine: Engine): Promise<void> {
  await engine.recover();
  await expireDue(engine, batchSize);
  await eraseRested(engine);
}

async function eraseRested({ store, clock, settings, transcripts, tails }: Engine): Promise<void> {
  if (settings.retentionMs === undefined) return;
  const before = clock.now() - settings.retentionMs;
  for (const chatId of await store.staleChats(before, batchSize)) {
    // Somebody may have come back to it since the list was made.
    const head = await store.head(chatId);
    if (!head || head.status === 'active' || head.updatedAt >= before) continue;
    await store.erase(chatId, 'retention', clock.now());
    transcripts.forget(chatId);
    tails.forget(chatId);
  }
}
