import { createHmac, timingSafeEqual } from 'node:crypto';

type Received = { readonly headers: Readonly<Record<string, unknown>>; readonly body: string };

const toleranceSeconds = 300;

/**
 * Verifies a request as a receiver does that follows the Standard Webhooks specification, written from it alone.
 *
 * @param now epoch milliseconds
 */
export function isGenuine(secret: string, { headers, body }: Received, now = Date.now()): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const due = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const [version, text = ''] = signature.split(',');
      const given = Buffer.from(text, 'base64');
      return version === 'v1' && given.length === due.length && timingSafeEqual(given, due);
    });
}
