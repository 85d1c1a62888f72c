import type { AtDeadline } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { DueCall } from '../../settings/plugin/plugin-declaration.ts';
import type { EscalationState } from './client/state.ts';
import type { Escalation } from './settings.ts';

/** What is planned for a question that is asked now. Times are epoch milliseconds. */
export type Plan = {
  readonly state?: EscalationState;
  readonly end?: { readonly at: number; readonly then: AtDeadline };
};

/**
 * The plan of a question that is asked now. Steps from the deadline on never take place. The end of the escalation is a deadline,
 * too.
 *
 * @source ADR 0048
 */
export function planOf(
  { steps, end }: Escalation,
  {
    now,
    deadline = Number.POSITIVE_INFINITY,
    mayAskAgain,
  }: Pick<DueCall<FlowSettings>, 'now' | 'deadline' | 'mayAskAgain'>,
): Plan {
  const endAt = now + (end?.afterMs ?? Number.POSITIVE_INFINITY);
  const planned = steps
    .filter(({ afterMs }) => now + afterMs < Math.min(deadline, endAt))
    .map(({ afterMs, label, remindEveryMs }) => ({ at: isoTime(now + afterMs), label, remindEveryMs }));
  const then = end?.then === 'ask-again' && !mayAskAgain ? 'deny' : end?.then;
  const ending = then && endAt <= deadline ? { at: endAt, then } : undefined;
  if (planned.length === 0 && !ending) return {};
  return {
    state: {
      steps: planned,
      end: ending && { ...ending, at: isoTime(ending.at) },
      step: 0,
      nextAt: planned[0]?.at,
    },
    end: ending,
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
