import { anything, bool, checkSettings, listOf, type SettingCheck, unfit } from '../../protocol/settings.ts';
import type { DeliveryFailure, Subscriber } from '../../protocol/subscriber.ts';
import { retryAfterMs } from '../../run/call/transient.ts';
import { AddressRefused, type Posted, type PostOptions, post } from './post.ts';
import { keyOf, signedHeaders } from './sign.ts';

/** The settings of `webhook`. */
export type WebhookSettings = Omit<Subscriber, 'deliver'> & {
  /** Begins with `https`, or `http` for a network that you trust. Without a user or a password. */
  readonly url: string;
  /**
   * Each is `whsec_` and 24 to 64 random bytes in base64. A request is signed with every one of them. To replace a secret, add
   * the new one, change the receiver, and remove the old one.
   */
  readonly secrets: readonly string[];
  /** If true, the endpoint may have a private address: loopback, link-local, or of a private network. Default false. */
  readonly allowPrivateNetwork?: boolean;
};

const webAddress: SettingCheck = (value, path) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    unfit(path, 'must be an address that begins with http or https');
  if (url.username || url.password)
    unfit(path, 'must not have a user or a password: the signature authenticates');
};

const secrets: SettingCheck = (value, path) => {
  listOf((one, at) => {
    if (!keyOf(one)) unfit(at, 'must be `whsec_` and 24 to 64 random bytes in base64');
  })(value, path);
  if ((value as readonly unknown[]).length === 0) unfit(path, 'must have a secret');
};

/** The flow checks the others. */
const checks = {
  id: anything,
  events: anything,
  principal: anything,
  dueSoonMs: anything,
  url: webAddress,
  secrets,
  allowPrivateNetwork: bool,
} satisfies Record<keyof WebhookSettings, SettingCheck>;

/**
 * A subscriber that sends each event as a POST request with a JSON body, signed as the
 * [Standard Webhooks](https://www.standardwebhooks.com) specification says (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`). Every status from 200 to 299 counts as delivered. After 410 the event is not sent again; after other
 * statuses it is, and not before the time in `Retry-After`.
 *
 * @throws CountersignError `invalid-settings`
 * @example webhook({ id: 'pager', url: 'https://pager.example/hooks', secrets: [process.env.WEBHOOK_SECRET] })
 * @source ADR 0043
 */
export function webhook(settings: WebhookSettings): Subscriber {
  return createWebhook(settings);
}

/** @param options for tests */
export function createWebhook(settings: WebhookSettings, options: PostOptions = {}): Subscriber {
  checkSettings('webhook', settings, checks, ['id', 'url', 'secrets']);
  const { url: address, secrets: texts, allowPrivateNetwork = false, ...subscriber } = settings;
  const url = new URL(address);
  const keys = texts.map(keyOf).filter((key) => key !== undefined);
  const how = allowPrivateNetwork ? { ...options, isAllowed: () => true } : options;

  return {
    ...subscriber,
    deliver: async (event, { signal }) => {
      const body = JSON.stringify(event);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'countersign',
        ...signedHeaders(keys, { id: event.id, at: Date.now(), body }),
      };
      try {
        return failureOf(await post(url, { headers, body, signal }, how));
      } catch (error) {
        return { failed: problemOf(error) };
      }
    },
  };
}

function failureOf({ status, headers }: Posted): DeliveryFailure | undefined {
  if (status >= 200 && status <= 299) return undefined;
  const retryMs = retryAfterMs({ headers }, Date.now());
  return {
    failed: `The endpoint answered ${status}.`,
    retryAfterMs: retryMs,
    gone: status === 410 ? true : undefined,
  };
}

/** Operators read it. The addresses of a network are not in it. */
function problemOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'The endpoint has a private address.';
  if (!(error instanceof Error)) return 'The endpoint was not reached.';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'The endpoint took too long.';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string'
    ? `The endpoint was not reached (${code}).`
    : 'The endpoint was not reached.';
}
