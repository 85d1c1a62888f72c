import type { FlowStore } from '../../../log/store-port.ts';
import { exactText } from '../../row-text.ts';
import { type Row, toChatId, toInstance } from '../../rows.ts';
import type { Access } from '../access.ts';
import { transaction } from '../transaction.ts';

/** Runs: leases and stop requests. Instances: which are live. */
export function sqliteRuns({
  ask,
  db,
  statements,
  subscribers,
}: Access): Pick<
  FlowStore,
  'claimLease' | 'orphans' | 'requestStop' | 'stopRequested' | 'announce' | 'retire'
> {
  return {
    claimLease: (chatId, { owner, until }, now) =>
      ask(() => {
        const held = statements.claimLease.run(owner, until, chatId, owner, now).changes > 0;
        if (held && until <= now) subscribers.notify({ chatId, reason: 'release' });
        return held;
      }),

    orphans: (now) => ask(() => statements.orphans.all(now).map(toChatId)),

    requestStop: (chatId, runId) =>
      ask(() => {
        statements.requestStop.run(runId, chatId);
        subscribers.notify({ chatId, reason: 'stop' });
      }),

    stopRequested: (chatId, runId) => ask(() => statements.stopRequested.get(chatId, runId) !== undefined),

    announce: ({ id, until, outdated }, now) =>
      ask(() => {
        const self = exactText(id);
        let live: Row[] = [];
        transaction(db, () => {
          statements.announce.run(self, until, JSON.stringify(outdated));
          statements.forgetInstances.run(now, self);
          live = statements.instances.all(now, self);
          return { keep: true };
        });
        return live.map(toInstance);
      }),

    retire: (id) =>
      ask(() => {
        statements.retire.run(exactText(id));
      }),
  };
}
