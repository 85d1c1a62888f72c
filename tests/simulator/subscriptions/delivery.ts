import type { SubscriptionEvent } from '../../../lib/protocol/wire/subscription-event.ts';

/** What a receiver answers. `hangs`: nothing. `later`: not before a time. */
export const verdicts = ['accepts', 'refuses', 'breaks', 'later', 'hangs', 'gone'] as const;
export type Verdict = (typeof verdicts)[number];

/** One attempt to deliver an event. */
export type Delivery = {
  readonly moment: number;
  /** In virtual milliseconds. */
  readonly atMs: number;
  readonly subscriber: string;
  readonly instance: string;
  readonly event: SubscriptionEvent;
  /** When the receiver had it, and what it answered. Absent until then. */
  received?: { readonly moment: number; readonly verdict: Verdict };
  /** When the instance learned of the answer, or gave up. Absent if it died before. */
  ended?: { readonly moment: number; readonly atMs: number; readonly how: Verdict | 'aborted' };
};
