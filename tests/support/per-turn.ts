import type { Script, ScriptedStep } from 'countersign/testing';

/**
 * A script that repeats the same steps in every turn, selected by the number of model calls since the last user
 * message.
 */
export function perTurn(steps: readonly ScriptedStep[]): Script {
  return ({ prompt }) => {
    const asked = prompt.findLastIndex(({ role }) => role === 'user');
    const spoken = prompt.slice(asked).filter(({ role }) => role === 'assistant').length;
    return steps[Math.min(spoken, steps.length - 1)] ?? [];
  };
}
