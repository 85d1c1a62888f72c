import type { FlowEvent } from '../protocol/index.ts';

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

export function createTurnText() {
  let settled = '';
  let current = '';
  let step = -1;
  return {
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
