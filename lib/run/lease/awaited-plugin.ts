import type { ChatHead } from '../../log/store/index.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { LocalRuns } from '../local-runs.ts';
import { missingForTurn } from './missing-for-turn.ts';

/**
 * The plugin for which an active run waits: no instance has the run, and this one must not continue it without the plugin.
 *
 * @returns `undefined` for a run that an instance has, or that waits only for the next sweep
 * @source ADR 0056.43
 */
export async function awaitedPlugin(
  {
    settings,
    store,
    clock,
    readTurn,
    local,
  }: Pick<EngineParts, 'settings' | 'store' | 'clock' | 'readTurn'> & { readonly local: LocalRuns['get'] },
  head: ChatHead,
): Promise<string | undefined> {
  if (head.status !== 'active' || head.runId === null || local(head.runId)) return undefined;
  const missing = missingForTurn(settings, await readTurn(head));
  if (missing === undefined) return undefined;
  return (await store.runs.orphans(await clock.sure())).includes(head.id) ? missing : undefined;
}
