import type { EscalationState } from './client/state.ts';

/** The most reminders of one question, so that a question that nobody answers does not fill its log. */
const mostReminders = 100;

/** A step or a reminder, and what the question says from then on. */
export type DueEvent = {
  readonly name: 'escalated' | 'reminded';
  /** Of the step or the reminder, counted from 1. */
  readonly number: number;
  readonly says: EscalationState;
};

/**
 * The step or reminder of an open question that is due; `undefined` if there is none. Of reminders that were missed, only one is due,
 * and none if the next step is due, too.
 *
 * @param question.deadline and `now`: epoch milliseconds
 * @source ADR 0048.5
 */
export function dueEvent(
  state: EscalationState,
  {
    deadline = Number.POSITIVE_INFINITY,
    now,
  }: { readonly deadline?: number | undefined; readonly now: number },
): DueEvent | undefined {
  const { steps, step, reminders = 0, nextAt } = state;
  if (nextAt === undefined || Date.parse(nextAt) > now) return undefined;
  const next = steps[step];
  const isStep = next !== undefined && Date.parse(next.at) <= now;
  const said = isStep
    ? { ...state, step: step + 1, at: isoTime(now), label: next.label }
    : { ...state, reminders: reminders + 1 };
  return {
    name: isStep ? 'escalated' : 'reminded',
    number: isStep ? said.step : reminders + 1,
    says: { ...said, nextAt: nextAfter(said, now, deadline) },
  };
}

/** Reminders follow the step at fixed intervals, counted from the time at which the step was due. */
function nextAfter(
  { steps, step, reminders = 0 }: EscalationState,
  now: number,
  deadline: number,
): string | undefined {
  const next = steps[step];
  const current = steps[step - 1];
  if (!current?.remindEveryMs || reminders >= mostReminders) return next?.at;
  const began = Date.parse(current.at);
  const intervals = Math.floor((now - began) / current.remindEveryMs) + 1;
  const at = began + intervals * current.remindEveryMs;
  if (next && Date.parse(next.at) <= at) return next.at;
  return at < deadline ? isoTime(at) : undefined;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
