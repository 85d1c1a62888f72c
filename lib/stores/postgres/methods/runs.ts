import type { InstanceStore, Lease, RunStore } from '../../../log/store/index.ts';
import type { ChatId, RunId } from '../../../protocol/index.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import { type Row, toChatId, toInstance } from '../../rows.ts';
import type { Access } from '../access.ts';
import { notificationText } from '../connection/notification-text.ts';

type Claim = Lease & { readonly chatId: ChatId; readonly now: number };

/** Runs and instances. Heartbeats share round trips, so that leases do not expire behind each other. */
export function postgresRuns({ ask, query, channel, statements, withStoreErrors }: Access) {
  const released = (chatId: ChatId) => notificationText({ chatId, reason: 'release' });

  const claims = createGroups(
    async (group: readonly Claim[]) => {
      const held = placesOf(
        await query(
          statements.claimLeases,
          group.map(({ chatId }) => chatId),
          group.map(({ owner }) => exactText(owner)),
          group.map(({ until }) => until),
          group.map(({ now }) => now),
          channel,
          group.map(({ chatId }) => released(chatId)),
        ),
      );
      // A chat that another transaction has locked is waited for alone, and keeps no other waiting.
      return group.map((claim, index) => held.has(index + 1) || claimAlone(claim));
    },
    ({ chatId }) => chatId,
  );

  async function claimAlone({ chatId, owner, until, now }: Claim): Promise<boolean> {
    const values = [chatId, exactText(owner), until, now, channel, released(chatId)];
    return (await query(statements.claimLease, ...values)).length > 0;
  }

  const stops = createGroups(async (asked: readonly { readonly chatId: ChatId; readonly runId: RunId }[]) => {
    const columns = [asked.map(({ chatId }) => chatId), asked.map(({ runId }) => runId)];
    const requested = placesOf(await query(statements.stopsRequested, ...columns));
    return asked.map((_, index) => requested.has(index + 1));
  });

  const runs: RunStore = {
    claimLease: (chatId, lease, now) => withStoreErrors(() => claims.add({ chatId, ...lease, now })),

    orphans: async (now) => (await ask(statements.orphans, now)).map(toChatId),

    requestStop: async (chatId, runId) => {
      await ask(statements.requestStop, chatId, runId, channel, notificationText({ chatId, reason: 'stop' }));
    },

    stopRequested: (chatId, runId) => withStoreErrors(() => stops.add({ chatId, runId })),
  };

  const instances: InstanceStore = {
    announce: async ({ id, until, outdated, plugins }, now) => {
      const lists = [JSON.stringify(outdated), now, JSON.stringify(plugins)];
      return (await ask(statements.announce, exactText(id), until, ...lists)).map(toInstance);
    },

    retire: async (id) => {
      await ask(statements.retire, exactText(id));
    },
  };

  return { runs, instances, idle: async () => void (await Promise.all([claims.idle(), stops.idle()])) };
}

function placesOf(rows: readonly Row[]): ReadonlySet<number> {
  return new Set(rows.map(({ nth }) => Number(nth)));
}
