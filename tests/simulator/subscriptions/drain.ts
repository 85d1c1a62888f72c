import { flowLogId } from '../../../lib/protocol/index.ts';
import type { Stage } from '../schedule/stage.ts';

/** Longer than the pause before a repetition, a lease and a sweep. Nobody refuses anything any more. */
const roundMs = 12_000;
const longestMs = 150_000;
const everything = 1_000;

/** Advances time until everything was delivered that can be, and records what was not. */
export async function drainDeliveries(stage: Stage): Promise<void> {
  const { world, history, raw } = stage;
  const { subscriptions } = raw;
  if (!subscriptions) return;
  const end = world.elapsed() + longestMs;
  // A delivery counts when it begins and when it ends: its result is stored only after that.
  const marks = () =>
    [...history.logs].reduce((sum, [id, log]) => sum + (id === flowLogId ? 0 : log.length), 0) +
    history.deliveries.reduce((sum, { ended }) => sum + (ended ? 2 : 1), 0);
  const waiting = async () => {
    const heads = await Promise.all(
      [...history.subscriptions.keys()].map((id) =>
        subscriptions.retries(id, Number.MAX_SAFE_INTEGER, everything),
      ),
    );
    const underWay = history.deliveries.filter(
      ({ ended, instance }) => !ended && !history.killed.has(instance) && !history.closed.has(instance),
    );
    return [
      ...heads.flat().map(({ subscriber, reference, lane }) => `${subscriber} ${reference.type} of ${lane}`),
      ...underWay.map(({ subscriber, event }) => `${subscriber} ${event.type}, under way`),
    ];
  };
  let since = world.now();
  for (let before = -1; world.elapsed() < end; ) {
    if (before === marks() && (await waiting()).length === 0) break;
    before = marks();
    since = world.now();
    await world.runUntil(world.elapsed() + roundMs);
  }
  const { items: dead } = await subscriptions.dead({ limit: everything });
  history.undelivered = {
    since,
    waiting: await waiting(),
    dead: dead.map(({ subscriber, id: eventId }) => ({ subscriber, eventId })),
  };
}
