import {
  CountersignError,
  type Delegation,
  errorFacts,
  type FlowLogBody,
  flowLogId,
  type Logger,
  type Person,
} from '../../protocol/index.ts';
import type { FlowClock } from '../flow-clock.ts';
import type { Notifications } from '../follow/notifications.ts';
import type { FlowLog } from './flow-log.ts';
import { createRefresh } from './shared-refresh.ts';

/** How many delegations can be live at once: each event about one has them all. */
const mostLive = 1_000;

/** Who may answer for whom: this instance's copy, at most one sweep old. @source ADR 0049 */
export type Delegations = ReturnType<typeof createDelegations>;

/** A change, without the delegations that are live after it. */
type DelegationEvent =
  | Omit<Extract<FlowLogBody, { type: 'delegated' }>, 'live'>
  | Omit<Extract<FlowLogBody, { type: 'delegation-revoked' }>, 'live'>;

/** Reads the delegations in the flow's log, and writes new ones. */
export function createDelegations(
  log: FlowLog,
  {
    notifications,
    logger,
    clock,
    currentPerson,
  }: {
    notifications: Notifications;
    logger: Logger;
    clock: FlowClock;
    /** A person with their current id. */
    currentPerson: (person: Person) => Person;
  },
) {
  let current: readonly Delegation[] = [];
  let seq = -1;
  /** As of the last time that listeners were called. */
  let known = '';
  let loaded = false;
  let closed = false;
  const listeners = new Set<() => void>();
  const refresh = createRefresh(load);
  const endListening = notifications.listen(flowLogId, () => void refresh().catch(warn));

  function warn(error: unknown): void {
    if (closed) return;
    logger.warn('The delegations could not be read; the next sweep tries again.', {
      error: errorFacts(error),
    });
  }

  async function load(): Promise<void> {
    const head = await log.head();
    if (head?.seq !== seq) {
      const { delegatedAt } = await log.stateAt(head);
      current = await recordedAt(delegatedAt);
      seq = head?.seq ?? 0;
    }
    loaded = true;
    announce();
  }

  /** All delegations after this event, by current ids. Without a valid seal, there are none, so people answer only for themselves. */
  async function recordedAt(delegatedAt: number | undefined): Promise<readonly Delegation[]> {
    if (delegatedAt === undefined) return [];
    const event = await log.eventAt(delegatedAt);
    if (event?.type === 'delegated' || event?.type === 'delegation-revoked') {
      return event.live.map((one) => ({ ...one, from: currentPerson(one.from), to: currentPerson(one.to) }));
    }
    logger.error('The delegations were not used: they are not in the sealed record.', { seq: delegatedAt });
    return [];
  }

  function announce(): void {
    const ids = JSON.stringify(liveAt(current, clock.now()).map(({ id }) => id));
    if (ids === known) return;
    known = ids;
    for (const listener of listeners) listener();
  }

  return {
    /** Reads the log again if it has changed. Afterwards, `live` knows every change that was made before the call. */
    refresh,
    /** Those that have neither ended nor been revoked, as far as this instance knows, oldest first. */
    async live(): Promise<readonly Delegation[]> {
      if (!loaded) await refresh();
      return current.length === 0 ? current : liveAt(current, await clock.sure());
    },
    /** Calls back when one began or ended, here or elsewhere. Returns a function that ends it. */
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /**
     * Records a change.
     *
     * @param change gets the live delegations and the time
     * @throws CountersignError what `change` throws; `invalid-request` if there are too many
     */
    async append(
      change: (
        live: readonly Delegation[],
        now: number,
      ) => {
        readonly event: DelegationEvent;
        readonly live: readonly Delegation[];
      },
    ): Promise<void> {
      await log.append(async ({ delegatedAt }) => {
        const now = await clock.sure();
        const { event, live } = change(liveAt(await recordedAt(delegatedAt), now), now);
        if (live.length > mostLive) {
          const text = `This app has ${mostLive} delegations, which is the most. Wait until some have ended.`;
          throw new CountersignError('invalid-request', text);
        }
        return [{ ...event, live }];
      });
      await refresh();
    },

    close(): void {
      closed = true;
      endListening();
    },
  };
}

function liveAt(delegations: readonly Delegation[], now: number): readonly Delegation[] {
  return delegations.filter(({ until }) => until > now);
}
