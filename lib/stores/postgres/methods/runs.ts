import type { FlowStore } from '../../../log/store-port.ts';
import { exactText } from '../../row-text.ts';
import { toChatId, toInstance } from '../../rows.ts';
import type { Access } from '../access.ts';
import { notificationText } from '../connection/notification-text.ts';

/** Runs: leases and stop requests. Instances: which are live. */
export function postgresRuns({
  ask,
  channel,
  statements,
}: Access): Pick<
  FlowStore,
  'claimLease' | 'orphans' | 'requestStop' | 'stopRequested' | 'announce' | 'retire'
> {
  return {
    claimLease: async (chatId, { owner, until }, now) =>
      (
        await ask(
          statements.claimLease,
          chatId,
          exactText(owner),
          until,
          now,
          channel,
          notificationText({ chatId, reason: 'release' }),
        )
      ).length > 0,

    orphans: async (now) => (await ask(statements.orphans, now)).map(toChatId),

    requestStop: async (chatId, runId) => {
      await ask(statements.requestStop, chatId, runId, channel, notificationText({ chatId, reason: 'stop' }));
    },

    stopRequested: async (chatId, runId) => (await ask(statements.stopRequested, chatId, runId)).length > 0,

    announce: async ({ id, until, outdated }, now) =>
      (await ask(statements.announce, exactText(id), until, JSON.stringify(outdated), now)).map(toInstance),

    retire: async (id) => {
      await ask(statements.retire, exactText(id));
    },
  };
}
