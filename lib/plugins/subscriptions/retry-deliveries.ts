import { deliverInOrder } from './deliver-in-order.ts';
import type { RoundPort } from './follow-feed.ts';

const lanesPerRound = 100;

/**
 * Delivers what failed before and is due again, with what waits behind it.
 *
 * @returns true if there may be more that is due now
 * @source ADR 0043.5
 */
export async function retryDeliveries(port: RoundPort): Promise<boolean> {
  const { subscriptions, subscriber, clock, lease } = port;
  const { id } = subscriber;
  const due = () => clock.sure().then((now) => subscriptions.retries(id, now, lanesPerRound));
  if (!(await lease.look()) || (await due()).length === 0) return false;
  const held = await lease.take();
  if (!held) return false;
  // Read again: another instance may have delivered them before the lease was taken.
  const heads = await due();
  if (heads.length === 0) return false;
  const { put, drop } = await held.during(async (signal) => {
    const lanes = await subscriptions.lanes(
      id,
      heads.map(({ lane }) => lane),
    );
    return deliverInOrder({ ...port, signal }, lanes);
  });
  const committed = await held.commit({ put, drop });
  return committed && !port.isClosing();
}
