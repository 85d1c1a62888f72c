import { createHmac } from 'node:crypto';

/** The sizes of a key that the specification allows, in bytes. */
const leastBytes = 24;
const mostBytes = 64;

/**
 * The key in a secret of Standard Webhooks 1.0: base64 after `whsec_`.
 *
 * @returns `undefined` for anything else, or a key that does not have 24 to 64 bytes
 * @source ADR 0043.12
 */
export function keyOf(secret: unknown): Buffer | undefined {
  if (typeof secret !== 'string' || !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return undefined;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return key.length >= leastBytes && key.length <= mostBytes ? key : undefined;
}

/**
 * The headers that authenticate a request: its id and time with its body, signed with each key.
 *
 * @param message.id has no `.`
 * @param message.at epoch milliseconds
 * @source ADR 0043.12
 */
export function signedHeaders(
  keys: readonly Buffer[],
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = keys.map((key) => {
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
