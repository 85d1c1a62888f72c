import { runSeed } from './run-seed.ts';
import type { Report } from './run-seeds.ts';

/** Plays the seeds that it receives, batch by batch. An empty batch ends it. */
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

function tell(message: Report | 'ready'): void {
  process.send?.(message);
}
