import { z } from 'zod';
import { createRefresh } from '../../log/flow-log/shared-refresh.ts';
import { CountersignError, errorFacts, flowLogId, type JsonObject } from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import { withCurrentId } from '../../settings/former-ids.ts';
import { type Delegation, loggedSchema } from './delegation.ts';

/** How many delegations can be live at once: each event about one has them all. */
const mostLive = 1_000;

const plugin = 'delegation';

/** What an event about a delegation says: `live` are all delegations after it that have not ended. */
const eventData = z.object({ live: z.array(loggedSchema) });

/** Who may answer for whom: this instance's copy, at most one sweep old. @source ADR 0049 */
export type Delegations = ReturnType<typeof createDelegations>;

type DelegationParts = Pick<Engine, 'flowLog' | 'notifications' | 'logger' | 'clock' | 'settings'>;

/** Reads the delegations in the flow's log, and writes new ones. */
export function createDelegations(parts: DelegationParts) {
  const { flowLog: log, notifications, logger, clock } = parts;
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
      const { plugins } = await log.stateAt(head);
      current = await recordedAt(parts, plugins?.[plugin]);
      seq = head?.seq ?? 0;
    }
    loaded = true;
    announce();
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
        /** What happened. */
        readonly name: 'given' | 'revoked';
        readonly data: JsonObject;
        readonly live: readonly Delegation[];
      },
    ): Promise<void> {
      await log.append(async ({ plugins }) => {
        const now = await clock.sure();
        const { name, data, live } = change(liveAt(await recordedAt(parts, plugins?.[plugin]), now), now);
        if (live.length > mostLive) {
          const text = `This app has ${mostLive} delegations, which is the most. Wait until some have ended.`;
          throw new CountersignError('invalid-request', text);
        }
        return [{ type: 'plugin-event', plugin, name, data: { ...data, live } }];
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

/** All delegations after this event, by current ids. Without a valid seal, there are none, so people answer only for themselves. */
async function recordedAt(
  { flowLog, settings, logger }: DelegationParts,
  at: number | undefined,
): Promise<readonly Delegation[]> {
  if (at === undefined) return [];
  const event = await flowLog.eventAt(at);
  if (event?.type === 'plugin-event' && event.plugin === plugin) {
    return eventData.parse(event.data).live.map((one) => ({
      ...one,
      from: withCurrentId(settings, one.from),
      to: withCurrentId(settings, one.to),
    }));
  }
  logger.error('The delegations were not used: they are not in the sealed record.', { seq: at });
  return [];
}
