import type { FlowEvent } from '../protocol/index.ts';

/** The `seq` of each piece of text in a log whose step has begun again since. */
export function brokenOffText(log: readonly FlowEvent[]): ReadonlySet<number> {
  const broken = new Set<number>();
  let turnText = createTurnText();
  let pieces: number[] = [];
  for (const event of log) {
    if (event.type === 'message-received' || event.type === 'history-cut') turnText = createTurnText();
    const isAgain = turnText.apply(event);
    if (isAgain) for (const seq of pieces) broken.add(seq);
    if (event.type === 'step-started') pieces = [];
    if (event.type === 'text-delta') pieces.push(event.seq);
  }
  return broken;
}

/** Follows the text of a turn. Feed it all events of the turn in order. */
export function createTurnText() {
  let settled = '';
  let current = '';
  let step = -1;
  return {
    /** The text of the turn as it stands. */
    get text(): string {
      return settled + current;
    },

    /** @returns whether the event begins a step again */
    apply(event: FlowEvent): boolean {
      if (event.type === 'text-delta') current += event.delta;
      if (event.type !== 'step-started') return false;
      const isAgain = event.step === step;
      if (!isAgain) settled += current;
      current = '';
      step = event.step;
      return isAgain;
    },
  };
}
