import { type WebhookSettings, webhook } from 'countersign/plugins/webhooks';
import type { Channel, Environment } from './channel.ts';

/** Where events are sent. */
type Receiver = Pick<WebhookSettings, 'url' | 'secrets' | 'allowPrivateNetwork'>;

/**
 * Reads the variables of the webhook.
 *
 * @throws Error that names the variables if only one of them is set
 */
function webhookFrom({
  COUNTERSIGN_WEBHOOK_URL: url,
  COUNTERSIGN_WEBHOOK_SECRET: secret,
  COUNTERSIGN_WEBHOOK_PRIVATE: reach = 'off',
}: Environment): Receiver | undefined {
  if (!url && !secret) return undefined;
  if (url && secret) return { url, secrets: [secret], allowPrivateNetwork: reach === 'on' };
  throw new Error(
    'Set both COUNTERSIGN_WEBHOOK_URL and COUNTERSIGN_WEBHOOK_SECRET, or neither. The secret is whsec_ and 24 to 64 random bytes in base64.',
  );
}

/** The webhook that gets all events. */
export const webhooks: Channel = (environment) => {
  const receiver = webhookFrom(environment);
  return receiver && (() => ({ subscriber: webhook({ id: 'webhook', ...receiver }) }));
};
