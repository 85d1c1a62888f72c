import { eraseChat } from '../commands/erase.ts';
import { expireDue } from '../commands/expire.ts';
import type { OutdatedQuestions } from '../commands/outdated/outdated-questions.ts';
import { expireRecords } from '../commands/purge.ts';
import type { ChatHead } from '../log/store/index.ts';
import { atMost } from '../protocol/clock/sleep.ts';
import { errorFacts, flowLogId } from '../protocol/index.ts';
import type { Engine } from '../run/engine.ts';
import { defaultStopGraceMs, defaultSweepMs } from '../settings/default-times.ts';

const batchSize = 100;

/**
 * Runs the periodic work, which any instance may do: takes over runs whose owner has died, lets plugins
 * do their part, expires questions, asks outdated questions again, and erases chats past the retention
 * period.
 *
 * @returns a function that ends it, and waits at most `stopGraceMs` for what has begun
 * @source H12, ADR 0001
 */
export function keepSweeping(engine: Engine, questions: OutdatedQuestions): () => Promise<void> {
  const { store, clock, logger, settings } = engine;
  const { sweepMs = defaultSweepMs, stopGraceMs = defaultStopGraceMs } = settings;
  const working = new Set<Promise<void>>();
  let ended = false;
  let cancel = clock.after(sweepMs, beat);
  // An instance that shuts down releases its leases, so that others can continue without waiting.
  const endListening = store.subscribe(({ reason }) => {
    if (reason === 'release') void work(engine.recover());
  });

  async function work(begun: Promise<void>): Promise<void> {
    const whole = begun.catch((error: unknown) => {
      logger.warn('A sweep failed. The next one retries.', { error: errorFacts(error) });
    });
    working.add(whole);
    await whole;
    working.delete(whole);
  }

  function beat(): void {
    void work(sweep(engine, questions)).then(() => {
      if (!ended) cancel = clock.after(sweepMs, beat);
    });
  }

  return async () => {
    ended = true;
    endListening();
    cancel();
    await atMost(clock, stopGraceMs, Promise.all(working));
  };
}

export async function sweep(engine: Engine, questions: OutdatedQuestions): Promise<void> {
  await engine.pauses.refresh();
  await engine.recover();
  await sweepPlugins(engine);
  await expireDue(engine, batchSize);
  await questions.sweep();
  await eraseUnused(engine);
  await expireRecords(engine);
  await engine.checkpoint();
}

async function eraseUnused(engine: Engine): Promise<void> {
  const { store, clock, logger, settings } = engine;
  if (settings.retentionMs === undefined) return;
  const before = (await clock.sure()) - settings.retentionMs;
  // The chat may have been used since it was listed.
  const isDue = ({ status, updatedAt }: ChatHead) => status !== 'active' && updatedAt < before;
  for (const chatId of await store.chats.stale(before, batchSize)) {
    if (chatId === flowLogId) continue;
    await eraseChat(engine, chatId, 'retention', isDue).catch((error: unknown) => {
      logger.warn('A chat past its retention period could not be erased.', {
        chatId,
        error: errorFacts(error),
      });
    });
  }
}

async function sweepPlugins({ hooks, logger }: Engine): Promise<void> {
  for (const { plugin, run } of hooks.sweep) {
    await run().catch((error: unknown) => {
      logger.warn('A sweep of a plugin failed. The next one tries again.', {
        plugin,
        error: errorFacts(error),
      });
    });
  }
}
