import { CountersignError, type Principal } from '../protocol/index.ts';
import { checkOperator } from '../rights/permissions.ts';
import type { Engine } from '../run/engine.ts';
import type { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import type { ApprovalFlow } from './approval-flow.ts';
import { pageSize } from './page-size.ts';

/** Deliveries that need an operator. */
export function createDeliveryMethods(
  engine: Engine,
  { cursors, subscriptions }: { readonly cursors: Cursors; readonly subscriptions: Subscriptions },
): Pick<ApprovalFlow, 'deadDeliveries' | 'redeliver'> {
  const { store, clock } = engine;

  async function isDueAgain(principal: Principal, subscriber: string, eventId: string): Promise<boolean> {
    await checkOperator(engine.settings, principal);
    return (await store.subscriptions?.revive(subscriber, eventId, await clock.sure())) === true;
  }

  return {
    async deadDeliveries({ principal, cursor, limit }) {
      await checkOperator(engine.settings, principal);
      const { subscriptions: kept } = store;
      if (!kept) return { items: [] };
      const page = await cursors.page('deliveries', principal, { cursor, limit: pageSize(limit) }, (from) =>
        kept.dead(from),
      );
      const items = page.items.map(
        ({ subscriber, id: eventId, reference, attempts, failedAt = 0, deadAt = 0, error = '' }) => ({
          ...{ subscriber, eventId, type: reference.type, chatId: reference.chatId },
          ...{ attempts, failedAt, deadAt, error },
        }),
      );
      return page.next === undefined ? { items } : { items, next: page.next };
    },

    async redeliver({ principal, subscriber, eventId }) {
      if (await isDueAgain(principal, subscriber, eventId)) return subscriptions.wake();
      const fields = { subscriber, eventId };
      throw new CountersignError('not-found', 'There is no such dead delivery.', fields);
    },
  };
}
