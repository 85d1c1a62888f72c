import type { FlowSettings, Principal } from 'countersign';

/** The rejected look-up: the givers as they were when they delegated. */
export function recordedGivers(everybody: readonly Principal[]): NonNullable<FlowSettings['people']> {
  return ({ ids }) => everybody.filter(({ id }) => ids === undefined || ids.includes(id));
}
