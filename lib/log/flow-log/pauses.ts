import {
  CountersignError,
  errorFacts,
  flowLogId,
  type Logger,
  type Pause,
  type Principal,
  personOf,
} from '../../protocol/index.ts';
import type { Notifications } from '../follow/notifications.ts';
import type { FlowLog } from './flow-log.ts';
import { createRefresh } from './shared-refresh.ts';

const longestReason = 2_000;

/** What is paused: this instance's copy, at most one sweep old. @source ADR 0023 */
export type Pauses = ReturnType<typeof createPauses>;

/** Reads the pauses in the flow's log, and writes new ones. */
export function createPauses(
  log: FlowLog,
  { notifications, logger }: { notifications: Notifications; logger: Logger },
) {
  let current: readonly Pause[] = [];
  let seq = -1;
  const refresh = createRefresh(load);
  let loaded = false;
  let closed = false;
  const listeners = new Set<() => void>();
  const endListening = notifications.listen(flowLogId, () => void refresh().catch(warn));

  function warn(error: unknown): void {
    if (closed) return;
    logger.warn('What is paused could not be read; the next sweep tries again.', {
      error: errorFacts(error),
    });
  }

  async function load(): Promise<void> {
    const head = await log.head();
    if (head?.seq !== seq) {
      const { pauses } = await log.stateAt(head);
      seq = head?.seq ?? 0;
      change(pauses);
    }
    loaded = true;
  }

  function change(pauses: readonly Pause[]): void {
    const isSame = JSON.stringify(pauses) === JSON.stringify(current);
    current = pauses;
    if (!isSame) for (const listener of listeners) listener();
  }

  return {
    refresh,
    /** Resolves when the copy has been read; `undefined` if it is there already. */
    ready: (): Promise<void> | undefined => (loaded ? undefined : refresh()),
    /** Starts to read what is paused, so that `ready` takes less time. */
    prepare(): void {
      if (!loaded) refresh().catch(warn);
    },
    /** The pause that applies to a tool's calls, if there is one. Synchronous, for use right before a call starts. */
    of: (toolName: string): Pause | undefined =>
      current.find(({ tool }) => tool === undefined || tool === toolName),
    all: () => current,
    /** False if nothing is paused, as far as this instance knows. Synchronous. */
    mayPause: (): boolean => !loaded || current.length > 0,
    /** Calls back when something was paused or unpaused, here or elsewhere. Returns a function that ends it. */
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async pause({ principal, tool, reason }: { principal: Principal; tool?: string; reason: string }) {
      if (typeof reason !== 'string' || reason.trim() === '' || reason.length > longestReason) {
        const text = `A pause needs a reason of 1 to ${longestReason} characters.`;
        throw new CountersignError('invalid-request', text);
      }
      const by = personOf(principal);
      const named = tool === undefined ? {} : { tool };
      await log.append(() => [{ type: 'paused', ...named, reason, by }]);
      await refresh();
    },

    async unpause({ principal, tool }: { principal: Principal; tool?: string }) {
      const by = personOf(principal);
      const named = tool === undefined ? {} : { tool };
      await log.append((state) =>
        state.pauses.some((pause) => pause.tool === tool) ? [{ type: 'unpaused', ...named, by }] : [],
      );
      await refresh();
    },

    close(): void {
      closed = true;
      endListening();
    },
  };
}
