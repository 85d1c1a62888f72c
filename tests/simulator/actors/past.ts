import type { UIMessage } from 'ai';
import type { Random } from '../machine/random.ts';
import type { Profile } from '../schedule/profile.ts';
import { planText } from './plan.ts';

/** The states in which another app may have left a call, and what it stored with each. */
const ends = [
  { state: 'output-available', output: { did: 'elsewhere' } },
  { state: 'output-error', errorText: 'It broke elsewhere.' },
  { state: 'input-available' },
  { state: 'approval-responded', approval: { id: 'native-yes', approved: true } },
  { state: 'approval-responded', approval: { id: 'native-no', approved: false } },
] as const;

/**
 * A chat that another app has stored: a turn that is over, with calls that ran, were running or were approved there, and
 * perhaps a turn that waits for native approvals.
 */
export function pastMessages(
  random: Random,
  chatId: string,
  { tools }: Pick<Profile, 'tools'>,
): readonly UIMessage[] {
  const own = tools.filter((tool) => tool !== 'page');
  let calls = 0;

  function turn(id: string, stateOf: (call: number) => object): UIMessage[] {
    const made = Array.from({ length: 1 + random.below(2) }, () => {
      calls += 1;
      const tool = random.pick(own.length > 0 ? own : (['pay'] as const));
      return { tool, n: random.below(12), toolCallId: `old-${calls}`, state: stateOf(calls) };
    });
    const plan = [made.map(({ tool, n }) => `${tool}:${n}`)];
    const parts = made.map(({ tool, n, toolCallId, state }) => ({
      ...{ type: `tool-${tool}`, toolCallId, input: { n } },
      ...state,
    }));
    return [
      { id: `${id}-user`, role: 'user', parts: [{ type: 'text', text: planText(chatId, plan) }] },
      { id, role: 'assistant', parts: [{ type: 'step-start' }, ...parts] } as UIMessage,
    ];
  }

  const over = turn('past', () => random.pick(ends));
  const waits = (call: number) => ({ state: 'approval-requested', approval: { id: `native-${call}` } });
  return random.chance(0.7) ? [...over, ...turn('waiting', waits)] : over;
}
