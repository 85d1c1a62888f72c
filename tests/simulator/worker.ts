import { runSeed } from './run-seed.ts';
import type { Told } from './run-seeds.ts';

/** Plays the seeds that it is sent, batch by batch, and ends with an empty one. */
process.on('message', async (seeds: readonly number[]) => {
  if (seeds.length === 0) {
    process.disconnect();
    return;
  }
  for (const seed of seeds) {
    const { trace, ...result } = await runSeed(seed);
    tell(result.violations.length > 0 ? { ...result, trace } : result);
  }
  tell('ready');
});
tell('ready');

function tell(message: Told | 'ready'): void {
  process.send?.(message);
}
