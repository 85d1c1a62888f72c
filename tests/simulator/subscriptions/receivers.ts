import type { DeliveryFailure, Subscriber } from '../../../lib/protocol/subscriber.ts';
import type { SubscriptionEvent } from '../../../lib/protocol/wire/subscription-event.ts';
import { people } from '../actors/people.ts';
import type { History } from '../history.ts';
import type { SimProcess } from '../machine/process.ts';
import type { Random } from '../machine/random.ts';
import type { World } from '../machine/world.ts';
import type { Delivery, Verdict } from './delivery.ts';
import type { SubscriberProfile, SubscriptionProfile } from './profile.ts';

/** The systems that receive events. They are outside of all processes: what is under way arrives, even if its sender died. */
export function createReceivers(
  world: World,
  history: History,
  random: Random,
  profile: SubscriptionProfile,
) {
  let areWell = false;

  /** Resolves with the answer of the receiver, which may take forever. */
  async function receive(delivery: Delivery): Promise<Verdict> {
    const verdict = areWell ? 'accepts' : random.weighted(profile.verdicts);
    const [there, back] = [0, 0].map(() => random.below(profile.takesMs + 1));
    await world.sleep(there ?? 0);
    if (verdict === 'hangs') return new Promise(() => {});
    delivery.received = { moment: history.moment(), verdict };
    world.note(`${delivery.subscriber} receives ${nameOf(delivery.event)}: ${verdict}`);
    await world.sleep(back ?? 0);
    return verdict;
  }

  /** Calls a receiver from one process. */
  async function deliver(
    process: SimProcess,
    { id }: SubscriberProfile,
    event: SubscriptionEvent,
    signal: AbortSignal,
  ): Promise<DeliveryFailure | undefined> {
    const delivery: Delivery = {
      moment: history.moment(),
      atMs: world.elapsed(),
      subscriber: id,
      instance: process.name,
      event: structuredClone(event),
    };
    history.deliveries.push(delivery);
    world.note(`${process.name} delivers ${nameOf(event)} to ${id}`);
    const how = await Promise.race([receive(delivery), aborted(signal)]);
    await process.gate();
    delivery.ended = { moment: history.moment(), atMs: world.elapsed(), how };
    return failureOf(how, random.below(8_000));
  }

  return {
    /** From now on they accept everything. */
    recover(): void {
      areWell = true;
    },
    /** The subscribers of a process. `start` counts the processes so far. */
    subscribersOf: (process: SimProcess, start: number): Subscriber[] =>
      profile.subscribers
        .filter(({ joins }) => start >= joins)
        .map((each) => ({
          id: each.id,
          dueSoonMs: each.dueSoonMs,
          ...(each.events && { events: each.events }),
          ...(each.principal && { principal: people[each.principal] }),
          deliver: (event, { signal }) => deliver(process, each, event, signal),
        })),
  };
}

function failureOf(how: Verdict | 'aborted', laterMs: number): DeliveryFailure | undefined {
  switch (how) {
    case 'accepts':
      return undefined;
    case 'breaks':
      throw new Error('The subscriber broke.');
    case 'later':
      return { failed: 'The receiver is busy.', retryAfterMs: laterMs };
    case 'gone':
      return { failed: 'The receiver is gone.', gone: true };
    default:
      return { failed: 'The receiver refused it.' };
  }
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  const { promise, resolve } = Promise.withResolvers<'aborted'>();
  if (signal.aborted) resolve('aborted');
  signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  return promise;
}

function nameOf({ type, data }: SubscriptionEvent): string {
  return `${type} ${'question' in data ? data.question.id : data.chatId}`;
}
