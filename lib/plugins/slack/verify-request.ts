import { runtime } from '../../runtime/runtime.ts';
import { toHex } from '../../runtime/to-hex.ts';

/** How old a request may be, as Slack recommends. */
const oldestMs = 5 * 60_000;

/**
 * Whether Slack has sent a body: its HMAC-SHA256 over version, time and body is that of one of the secrets, and the time is at most five
 * minutes from now. The body must be exactly as received.
 *
 * @param now epoch milliseconds
 * @returns the signature, which identifies the request; `undefined` for a request that Slack did not send
 * @source ADR 0051.4
 */
export function verifiedSignature(
  secrets: readonly string[],
  { headers, body }: { readonly headers: Headers; readonly body: string },
  now: number,
): string | undefined {
  const timestamp = headers.get('x-slack-request-timestamp') ?? '';
  const given = headers.get('x-slack-signature') ?? '';
  if (!/^\d{1,15}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(given)) return undefined;
  const isRecent = Math.abs(now - Number(timestamp) * 1_000) <= oldestMs;
  const matching = secrets.filter((secret) => {
    const mac = runtime.hmacSha256(secret, `v0:${timestamp}:${body}`);
    return runtime.isSame(bytesOf(`v0=${toHex(mac)}`), bytesOf(given));
  });
  return isRecent && matching.length > 0 ? given : undefined;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
