import type { FlowSettings } from 'countersign';
import type { StoreClock } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { type FakeClock, fakeClock, type Script } from 'countersign/testing';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { CountersignError } from '../../lib/protocol/index.ts';
import { flowFixture } from './flow-fixture.ts';

/**
 * Instances with different clocks, on one store with its own clock.
 *
 * @param sharesTime false: the store has no clock, and each instance uses its own
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
    runs: {
      ...plain.runs,
      async claimLease(...claim) {
        const isHeld = await plain.runs.claimLease(...claim);
        if (isHeld) claims += 1;
        return isHeld;
      },
    },
    ...(sharesTime && { clock: time.clock }),
  };
  return {
    /** The store's clock. */
    clock,
    store,
    time,
    /** How many leases were taken or renewed. */
    claims: () => claims,
    /** An instance whose own clock is ahead by this many milliseconds. */
    instance: (aheadMs: number, settings: Partial<FlowSettings> = {}) =>
      flowFixture(script, {
        logger: { warn: () => {}, error: () => {} },
        store,
        ...settings,
        clock: { ...clock, now: () => clock.now() + aheadMs },
      }),
  };
}

/** A store's clock that can be unreachable. */
function storeTime(clock: FakeClock) {
  let isKnown = true;
  let isReached = true;
  let measures = 0;
  const own: StoreClock = {
    now: () => (isKnown ? clock.now() : undefined),
    async measure() {
      measures += 1;
      if (!isReached)
        throw new CountersignError('internal', 'The clock is unreachable.', {}, { transient: true });
      isKnown = true;
    },
  };
  return {
    clock: own,
    /** How often it was measured. */
    measures: () => measures,
    /** Makes it unknown. It can still be measured. */
    forget: () => {
      isKnown = false;
    },
    /** Makes it unknown and unreachable. */
    cut: () => {
      isKnown = false;
      isReached = false;
    },
    heal: () => {
      isReached = true;
    },
  };
}
