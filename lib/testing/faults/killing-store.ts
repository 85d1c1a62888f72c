import type { FlowStore } from '../../log/store-port.ts';
import { type KillPoint, killWatch } from './kill-point.ts';

/**
 * A store whose process dies at a kill point, without a chance to say or to write anything more. For servers in a
 * process of their own; see {@link dyingStore} for one that only seems to die.
 *
 * @param die must not return to the caller's future: by default SIGKILL for this process
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
