import type { Invariant } from '../invariant.ts';
import { asLogged } from './as-logged.ts';
import { eventIds } from './ids.ts';
import { inOrder } from './in-order.ts';
import { nothingLost } from './nothing-lost.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { oneCopy } from './one-copy.ts';
import { subscriptionSecrets } from './secrets.ts';

/** What holds for every delivery to a subscriber (ADR 0043). */
export const subscriptionInvariants: readonly Invariant[] = [
  nothingLost,
  inOrder,
  eventIds,
  oneAtATime,
  oneCopy,
  asLogged,
  subscriptionSecrets,
];
