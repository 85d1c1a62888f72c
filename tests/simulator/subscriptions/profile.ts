import { type EventType, eventTypes } from '../../../lib/protocol/wire/subscription-event.ts';
import type { PersonName } from '../actors/people.ts';
import { type ToolName, toolNames } from '../actors/tools.ts';
import type { Random } from '../machine/random.ts';
import { type Verdict, verdicts } from './delivery.ts';

/** One subscriber of the simulated flow. */
export type SubscriberProfile = {
  readonly id: string;
  readonly principal?: PersonName;
  readonly events?: readonly EventType[];
  readonly dueSoonMs: number;
  /** Processes have it from this one on: a deploy added it. The first process is 1. */
  readonly joins: number;
};

/** How subscriptions behave in one schedule. */
export type SubscriptionProfile = {
  readonly subscribers: readonly SubscriberProfile[];
  /** The longest time of a delivery in each direction, in virtual milliseconds. */
  readonly takesMs: number;
  /** What receivers answer, until everything recovers at the end. */
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
  /** The share of steps at which a commit of a subscription is to fail, or an operator sends a dead delivery again. */
  readonly troubles: number;
  /** Tools with a secret argument, `note`. Only people who edit a call write it. */
  readonly secret: readonly ToolName[];
};

/** The share of schedules with subscriptions. The other schedules are the same as without this feature. */
const share = 0.25;

/** `page` runs in the client, and `wire` has a note in each call. */
const withSecret = toolNames.filter((name) => name !== 'page' && name !== 'wire');

/** The part of a seed's profile that is about subscriptions. It has its own random numbers. */
export function subscriptionProfileOf(random: Random): SubscriptionProfile | undefined {
  if (!random.chance(share)) return undefined;
  const faulty = verdicts.filter((verdict) => verdict !== 'accepts' && random.chance(0.3));
  const subscriber = (id: string, joins: number): SubscriberProfile => ({
    id,
    ...(random.chance(0.3) && { principal: random.pick(['ada', 'ben', 'mallory'] as const) }),
    ...(random.chance(0.2) && { events: eventTypes.filter((type) => type !== random.pick(eventTypes)) }),
    dueSoonMs: random.pick([500, 1_500, 900_000]),
    joins,
  });
  return {
    subscribers: [
      subscriber('first', 1),
      ...(random.chance(0.4) ? [subscriber('second', random.chance(0.5) ? 1 : 2 + random.below(4))] : []),
    ],
    takesMs: random.pick([0, 10, 200, 1_500]),
    verdicts: { accepts: 8, ...Object.fromEntries(faulty.map((verdict) => [verdict, 1 + random.below(3)])) },
    troubles: random.pick([0, 0.1, 0.3]),
    secret: random.chance(0.5) ? withSecret.filter(() => random.chance(0.6)) : [],
  };
}
