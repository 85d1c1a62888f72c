/** The state of a call: `pending` behind another question, `open`, or settled. */
export type Fate = 'pending' | 'open' | 'ran' | 'denied' | 'withdrawn' | 'cancelled';

/** Gated calls by model step: `[2, 1]` is two in parallel, followed by one. */
export type Plan = readonly number[];

type Turn = { readonly id: string; readonly plan: Plan; step: number; over: boolean };

/**
 * A chat as a user understands it: the messages, and the outcome of each call. It knows nothing of logs, leases,
 * appends or streams. Every chat must end as it predicts.
 */
export function chatModel() {
  const turns: Turn[] = [];
  const fates = new Map<string, Fate>();

  /** The calls of a turn's current step, in order. */
  function callsNow({ id, plan, step }: Turn): string[] {
    return Array.from({ length: plan[step] ?? 0 }, (_, index) => callId(id, step, index));
  }

  /** Asks the next question; if there is none, continues with the next step or ends the turn. */
  function goOn(turn: Turn): void {
    const next = callsNow(turn).find((call) => fates.get(call) === 'pending');
    if (next !== undefined) {
      fates.set(next, 'open');
      return;
    }
    turn.step += 1;
    for (const call of callsNow(turn)) fates.set(call, 'pending');
    turn.over = turn.step >= turn.plan.length;
    if (!turn.over) goOn(turn);
  }

  function open(): string | undefined {
    return [...fates].find(([, fate]) => fate === 'open')?.[0];
  }

  function close(): void {
    for (const [call, fate] of fates) {
      if (fate === 'open') fates.set(call, 'withdrawn');
      if (fate === 'pending') fates.set(call, 'cancelled');
    }
    const last = turns.at(-1);
    if (last) last.over = true;
  }

  return {
    /** The outcome of each requested call, in order. */
    fates: fates as ReadonlyMap<string, Fate>,
    /** The ids of the user messages, in order. */
    said: () => turns.map(({ id }) => id),
    /** The call that waits for an answer. */
    open,
    say(id: string, plan: Plan): void {
      close();
      const turn = { id, plan, step: -1, over: false };
      turns.push(turn);
      goOn(turn);
    },
    answer(approved: boolean): void {
      const call = open();
      const turn = turns.at(-1);
      if (call === undefined || !turn) return;
      fates.set(call, approved ? 'ran' : 'denied');
      goOn(turn);
    },
    stop: close,
  };
}

/** The id of a call: its message, its step, and its position in the step. */
export function callId(messageId: string, step: number, index: number): string {
  return `${messageId}-${step}-${index}`;
}
