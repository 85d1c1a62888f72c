import type { Setup } from './stage.ts';

/** The events of the row's chat. */
export function eventsOf({ stage }: Setup) {
  return stage()
    .log()
    .map(({ event }) => event);
}

/** A member without this has proved nothing. */
export function proves({ proofs }: Setup, of: string, holds: () => unknown): void {
  proofs.push({ of, holds });
}

/** How people have answered. */
export function viaOf(setup: Setup): string[] {
  return eventsOf(setup).flatMap((event) =>
    event.type === 'approval-answered' || event.type === 'answer-recorded' ? [event.via] : [],
  );
}

/** @throws Error while nothing has arrived */
export function isThere(count: number): true {
  if (count === 0) throw new Error('Nothing has arrived.');
  return true;
}

/** @throws Error if an answer got another status */
export function expectStatus(expected: number, status: number): void {
  if (status !== expected) throw new Error(`An answer got ${status} instead of ${expected}.`);
}
