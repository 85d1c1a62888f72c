import type { InstanceStore, Lease, RunStore } from '../../../log/store/index.ts';
import type { ChatId } from '../../../protocol/index.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import { toChatId, toInstance } from '../../rows.ts';
import type { Access } from '../access.ts';
import { transaction } from '../transaction.ts';
import { whenFree } from '../when-free.ts';

/** Runs: leases and stop requests. Instances: which are live. Renewals of an instance's leases share a transaction. */
export function sqliteRuns({ ask, db, statements, subscribers, retryMs, withStoreErrors }: Access) {
  type Claim = Lease & { readonly chatId: ChatId; readonly now: number };
  const claims = createGroups((group: readonly Claim[]) =>
    whenFree(
      () =>
        transaction(db, () =>
          group.map(
            ({ chatId, owner, until, now }) =>
              statements.claimLease.run(owner, until, chatId, owner, now).changes > 0,
          ),
        ),
      retryMs,
    ),
  );

  const runs: RunStore = {
    claimLease: (chatId, lease, now) =>
      withStoreErrors(async () => {
        const held = await claims.add({ chatId, ...lease, now });
        if (held && lease.until <= now) subscribers.notify({ chatId, reason: 'release' });
        return held;
      }),

    orphans: (now) => ask(() => statements.orphans.all(now).map(toChatId)),

    requestStop: (chatId, runId) =>
      ask(() => {
        statements.requestStop.run(runId, chatId);
        subscribers.notify({ chatId, reason: 'stop' });
      }),

    stopRequested: (chatId, runId) => ask(() => statements.stopRequested.get(chatId, runId) !== undefined),
  };

  const instances: InstanceStore = {
    announce: ({ id, until, outdated, plugins }, now) =>
      ask(() => {
        const self = exactText(id);
        return transaction(db, () => {
          statements.announce.run(self, until, JSON.stringify(outdated), JSON.stringify(plugins));
          statements.forgetInstances.run(now, self);
          return statements.instances.all(now, self).map(toInstance);
        });
      }),

    retire: (id) =>
      ask(() => {
        statements.retire.run(exactText(id));
      }),
  };

  return { runs, instances };
}
