import type { ContestantChat } from './contestant.ts';
import type { Till } from './payment-script.ts';

/** How often, in so many trials, an answer did something else than once what it said. */
export type Correctness = {
  readonly trials: number;
  /** The same answer twice at the same time: trials in which the tool ran twice. */
  readonly ranTwiceAtOnce: number;
  /** The first answer again after the second question was asked: trials in which a tool ran for it. */
  readonly ranAgainLater: number;
  /** One of two calls of a step answered alone: trials in which it ran once, and the other was still asked about. */
  readonly answeredAlone: number;
};

type Trial = { readonly chat: (id: string) => ContestantChat; readonly till: Till; readonly trials: number };

/** Answers in the ways in which people and networks answer. Refusals by error are fine; what counts is what ran. */
export async function tryCorrectness({ chat, till, trials }: Trial): Promise<Correctness> {
  const count = async (name: string, trial: (id: string) => Promise<boolean>) => {
    let found = 0;
    for (let number = 0; number < trials; number += 1) if (await trial(`${name}-${number}`)) found += 1;
    return found;
  };

  const ranTwiceAtOnce = await count('at-once', async (id) => {
    const tried = chat(id);
    const [question = ''] = await tried.begin('chain');
    await Promise.allSettled([tried.answer(question), tried.answer(question)]);
    return till.timesPaid(id, 1) !== 1;
  });

  const ranAgainLater = await count('later', async (id) => {
    const tried = chat(id);
    const [question = ''] = await tried.begin('chain');
    await tried.answer(question);
    await settled(tried.answer(question));
    return till.timesPaid(id, 1) !== 1 || till.timesPaid(id, 2) !== 0;
  });

  const answeredAlone = await count('alone', async (id) => {
    const tried = chat(id);
    const [question = ''] = await tried.begin('pair');
    const open = await settled(tried.answer(question));
    return till.timesPaid(id, 1) === 1 && till.timesPaid(id, 2) === 0 && open?.length === 1;
  });

  return { trials, ranTwiceAtOnce, ranAgainLater, answeredAlone };
}

async function settled<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const [result] = await Promise.allSettled([promise]);
  return result.status === 'fulfilled' ? result.value : undefined;
}
