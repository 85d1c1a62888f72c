import type { Clock } from '../../protocol/index.ts';
import { createRateLimit } from '../../rights/rate-limit.ts';
import type { Link } from './link-token.ts';

/** Requests a minute. High, because a scanner may open a link a hundred times before the person does. */
const perLink = 240;
/** Requests a minute. */
const perAddress = 600;

/** Limits how often a link is opened, and how often an address opens links. Each instance counts in its own memory. */
export type LinkLimits = {
  /** @throws CountersignError `rate-limited` */
  takeLink(link: Link): void;
  /** @throws CountersignError `rate-limited` */
  takeAddress(address: string): void;
};

/** @see LinkLimits */
export function createLinkLimits(clock: Pick<Clock, 'now' | 'monotonic'>): LinkLimits {
  const links = createRateLimit({ perMinute: perLink, clock });
  const addresses = createRateLimit({ perMinute: perAddress, clock });
  return {
    takeLink: (link) => links.take({ id: JSON.stringify(link), name: '' }),
    takeAddress: (address) => addresses.take({ id: address, name: '' }),
  };
}
