import type { Undelivered } from '../../log/store/index.ts';
import { backoff } from '../../protocol/clock/backoff.ts';
import type { DeliveryFailure } from '../../protocol/subscriber.ts';
import { runtime } from '../../runtime/runtime.ts';

/** After failing for so long, a delivery is dead. */
const givenUpAfterMs = 24 * 3_600_000;
const longestError = 500;

/**
 * A delivery after one more failed attempt: when it is due again, or that it is dead. The delays double, from 5 s to an
 * hour, and are shortened by up to a half, differently for each delivery. A delay that the receiver asks for is kept.
 *
 * @param now epoch milliseconds
 * @source ADR 0043.5
 */
export function afterFailure(
  tried: Undelivered,
  { failed, retryAfterMs = 0, gone }: DeliveryFailure,
  now: number,
): Undelivered {
  const attempts = tried.attempts + 1;
  const failedAt = tried.failedAt ?? now;
  const next = { ...tried, attempts, failedAt, error: failed.slice(0, longestError) };
  if (gone || now - failedAt >= givenUpAfterMs) return { ...next, dueAt: now, deadAt: now };
  const delayMs = backoff(attempts, 5_000, 3_600_000);
  const waitMs = Math.max(delayMs * (1 - spread(`${tried.id} ${attempts}`) / 2), retryAfterMs);
  // The last attempt is a day after the first, however long the receiver asks to wait.
  return { ...next, dueAt: Math.min(now + Math.round(waitMs), failedAt + givenUpAfterMs) };
}

/** Between 0 and 1. Derived, because the only purpose is that deliveries differ. */
function spread(text: string): number {
  const [high = 0, low = 0] = runtime.sha256(text);
  return (high * 256 + low) / 65_535;
}
