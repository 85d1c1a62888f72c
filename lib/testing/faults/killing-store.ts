import type { FlowStore } from '../../log/store/index.ts';
import { type KillPoint, killWatch } from './kill-point.ts';

/**
 * A store whose process is killed at a kill point, without a chance to write anything more. Use it for servers in a
 * process of their own; {@link dyingStore} simulates the same within a process.
 *
 * @param die must not return; default: SIGKILL for this process
 */
export function killingStore(
  store: FlowStore,
  point: KillPoint,
  die = () => process.kill(process.pid, 'SIGKILL'),
): FlowStore {
  const isNow = killWatch(point);
  return {
    ...store,
    async append(batch) {
      const dies = isNow(batch);
      if (dies && point.when === 'before') die();
      const outcome = await store.append(batch);
      if (dies && point.when === 'after') die();
      return outcome;
    },
  };
}
