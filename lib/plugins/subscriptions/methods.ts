import { pageSize } from '../../flow/page-size.ts';
import type { Kernel } from '../../flow/plugin/plugin.ts';
import type { By } from '../../flow/request.ts';
import type { SubscriptionStore } from '../../log/store/index.ts';
import type { Page } from '../../protocol/index.ts';
import { CountersignError } from '../../protocol/index.ts';
import { checkOperator } from '../../rights/permissions.ts';
import type { DeadDelivery } from './dead-delivery.ts';

/** Deliveries to subscribers. */
export type SubscriptionMethods = {
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

/** @see SubscriptionMethods */
export function createMethods(
  { settings, clock, cursors }: Kernel,
  subscriptions: SubscriptionStore,
  wake: () => void,
): SubscriptionMethods {
  return {
    async deadDeliveries({ principal, cursor, limit }) {
      await checkOperator(settings, principal);
      const page = await cursors.page('deliveries', principal, { cursor, limit: pageSize(limit) }, (from) =>
        subscriptions.dead(from),
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
      await checkOperator(settings, principal);
      if (await subscriptions.revive(subscriber, eventId, await clock.sure())) return wake();
      const fields = { subscriber, eventId };
      throw new CountersignError('not-found', 'There is no such dead delivery.', fields);
    },
  };
}
