import type { FlowSettings, StoreClock } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { type FakeClock, fakeClock, type Script } from 'countersign/testing';
import type { FlowStore } from '../../lib/log/store-port.ts';
import { CountersignError } from '../../lib/protocol/index.ts';
import { flowFixture } from './flow-fixture.ts';

/**
 * Instances whose clocks differ, on one store with a clock of its own.
 *
 * @param sharesTime false: the store says no time, and each instance goes by its own
 */
export function skewedInstances({
  script,
  sharesTime = true,
}: {
  readonly script: Script;
  readonly sharesTime?: boolean;
}) {
  const clock = fakeClock();
  const plain = sqliteStore({ path: ':memory:' });
  const time = storeTime(clock);
  let claims = 0;
  const store: FlowStore = {
    ...plain,
    async claimLease(...claim) {
      const isHeld = await plain.claimLease(...claim);
      if (isHeld) claims += 1;
      return isHeld;
    },
    ...(sharesTime && { clock: time.clock }),
  };
  return {
    /** That of the store. */
    clock,
    store,
    time,
    /** How many leases were taken or renewed. */
    claims: () => claims,
    /** An instance whose own clock is ahead by so many milliseconds. */
    instance: (aheadMs: number, settings: Partial<FlowSettings> = {}) =>
      flowFixture(script, {
        logger: { warn: () => {}, error: () => {} },
        store,
        ...settings,
        clock: { ...clock, now: () => clock.now() + aheadMs },
      }),
  };
}

/** A store's clock that can be out of reach. */
function storeTime(clock: FakeClock) {
  let isKnown = true;
  let isReached = true;
  let measures = 0;
  const own: StoreClock = {
    now: () => (isKnown ? clock.now() : undefined),
    async measure() {
      measures += 1;
      if (!isReached) throw new CountersignError('internal', 'Out of reach.', {}, { transient: true });
      isKnown = true;
    },
  };
  return {
    clock: own,
    /** How often it was asked. */
    measures: () => measures,
    /** It is not known from now on; it can be asked. */
    forget: () => {
      isKnown = false;
    },
    /** It is not known, and cannot be asked. */
    cut: () => {
      isKnown = false;
      isReached = false;
    },
    heal: () => {
      isReached = true;
    },
  };
}
