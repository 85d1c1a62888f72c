import { checkLog } from '../../support/check-log.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import type { History } from '../history.ts';
import { approvedAndOnce } from './approved-and-once.ts';
import type { Checked, Invariant } from './invariant.ts';

export type { Checked, Invariant } from './invariant.ts';

/** Everything that must hold, whatever the schedule. */
export const invariants: readonly Invariant[] = [
  approvedAndOnce,
  {
    name: 'no prompt that a strict model API rejects',
    check({ prompts }: History): Checked {
      const faults = prompts.flatMap(({ chatId, prompt }) => checkPrompt(prompt).map((fault) => `${chatId}: ${fault}`));
      return { checked: prompts.length, faults };
    },
  },
  {
    name: "nothing follows a run's end",
    check({ logs }: History): Checked {
      const all = [...logs].map(([chatId, log]) => ({ chatId, faults: checkLog(log.map(({ event }) => event)) }));
      return {
        checked: all.length,
        faults: all.flatMap(({ chatId, faults }) => faults.map((fault) => `${chatId}: ${fault}`)),
      };
    },
  },
];
