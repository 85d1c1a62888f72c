import type { Page } from '../../protocol/index.ts';
import { CountersignError, type Principal } from '../../protocol/index.ts';
import { checkOperator } from '../../rights/permissions.ts';
import type { Engine } from '../../run/engine.ts';
import type { DeadDelivery } from '../../subscriptions/dead-delivery.ts';
import type { Subscriptions } from '../../subscriptions/subscriptions.ts';
import type { Cursors } from '../../views/questions/cursors.ts';
import { pageSize } from '../page-size.ts';
import type { By } from '../request.ts';

/** Deliveries to subscribers. */
export type DeliveryMethods = {
  /**
   * Deliveries to subscribers that were given up after a day, last given up first, of all chats. They have no content of
   * chats.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`
   * @source ADR 0043
   */
  deadDeliveries(
    request: By & { readonly cursor?: string; readonly limit?: number },
  ): Promise<Page<DeadDelivery>>;
  /**
   * Sends a dead delivery again, with the same event id. Its content is what the subscriber may see now. If it fails again
   * for a day, it is dead again.
   *
   * @throws CountersignError `not-found` if there is none, and unless `mayOperate` returns `true`
   * @source ADR 0043
   */
  redeliver(request: By & { readonly subscriber: string; readonly eventId: string }): Promise<void>;
};

/** @see DeliveryMethods */
export function createDeliveries(
  engine: Engine,
  { cursors, subscriptions }: { readonly cursors: Cursors; readonly subscriptions: Subscriptions },
): DeliveryMethods {
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
