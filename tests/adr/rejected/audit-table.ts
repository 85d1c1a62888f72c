import type { FlowEvent } from 'countersign/plugin';
import type { FlowStore } from 'countersign/store';

/**
 * Rejected: an audit table beside the log, written after it.
 *
 * @param isRunning whether the process is still running, called between the two writes
 */
export function withAuditTable(store: FlowStore, isRunning: (written: readonly FlowEvent[]) => boolean) {
  const table: string[] = [];
  const audited: FlowStore = {
    ...store,
    append: async (batch) => {
      const result = await store.append(batch);
      if (result === 'appended' && isRunning(batch.events)) {
        table.push(...batch.events.map(({ type }) => type));
      }
      return result;
    },
  };
  return { store: audited, table };
}
