import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { CountersignError } from '../../protocol/index.ts';
import { subscriptionEndpoints } from './endpoints.ts';
import { createMethods, type SubscriptionMethods } from './methods.ts';
import { subscriptionsOpenApi } from './open-api.ts';
import { checkSubscriptions, type SubscriptionSettings } from './settings.ts';
import { createSubscriptions } from './subscriptions.ts';

export type { DeliveryFailure, Subscriber } from '../../protocol/subscriber.ts';
export type { EventType, SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';
export type { DeadDelivery } from './dead-delivery.ts';
export type { SubscriptionMethods } from './methods.ts';
export type { SubscriptionSettings } from './settings.ts';

/**
 * Notifies functions of the app, webhooks (`countersign/plugins/webhooks`) or channels of questions, answers, ends of turns and unknown
 * outcomes. Each event is delivered at least once, by one instance. Needs a store with `subscriptions`.
 *
 * @throws CountersignError `invalid-settings`
 * @example createApprovalFlow({ store, model, tools, plugins: [subscriptions({ subscribers: [channel], baseUrl })] })
 * @source ADR 0043
 */
export function subscriptions(given: SubscriptionSettings): FlowPlugin<'subscriptions', SubscriptionMethods> {
  checkSubscriptions(given);
  return {
    name: 'subscriptions',
    setUp(kernel) {
      const { subscriptions: stored } = kernel.store;
      if (!stored) {
        const message =
          'The plugin `subscriptions` needs a store with `subscriptions`: use one of this package, or implement `SubscriptionStore`.';
        throw new CountersignError('invalid-settings', message, { path: 'plugins' });
      }
      const { owner } = kernel.thisProcess;
      const { start, wake, close } = createSubscriptions({ ...kernel, subscriptions: stored, given, owner });
      const methods = createMethods(kernel, stored, wake);
      return {
        methods,
        endpoints: (route) => subscriptionEndpoints(methods, route),
        openApi: subscriptionsOpenApi,
        start,
        close,
      };
    },
  };
}
