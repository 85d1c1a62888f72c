import type { ChatEventBody, EscalationState } from '../../protocol/index.ts';
import type { Call } from './turn.ts';

/** The most reminders of one question, so that a question that nobody answers does not fill its log. */
const mostReminders = 100;

/** What is due to happen to an open question, and when, in epoch milliseconds. */
export type DueEscalation = {
  readonly at: number;
  readonly body: Extract<ChatEventBody, { type: 'approval-escalated' | 'approval-reminded' }>;
};

/**
 * The next step or reminder of a question; `undefined` if there is none, or the question is settled. Of reminders that were
 * missed, only one is due, and none if the next step is due, too.
 *
 * @param now epoch milliseconds; default: whatever comes first
 *
 * @source ADR 0048.5
 */
export function nextEscalation(
  call: Call,
  now: number = Number.NEGATIVE_INFINITY,
): DueEscalation | undefined {
  const { asked, answered, withdrawn, granted } = call;
  if (!asked?.escalation || answered || withdrawn || granted) return undefined;
  const step = nextStep(call);
  const reminder = nextReminder(call);
  if (!step || !reminder) return step ?? reminder;
  return reminder.at < step.at && step.at > now ? reminder : step;
}

function nextStep({ asked, escalated }: Call): DueEscalation | undefined {
  const done = escalated?.step ?? 0;
  const next = asked?.escalation?.steps[done];
  if (!asked || !next) return undefined;
  const { approvalId, toolCallId } = asked;
  const { at, label } = next;
  const step = { type: 'approval-escalated', approvalId, toolCallId, step: done + 1 } as const;
  return { at, body: { ...step, ...(label !== undefined && { label }) } };
}

/** Reminders follow the step at fixed intervals, counted from the time at which the step was due. */
function nextReminder({ asked, escalated, reminded }: Call): DueEscalation | undefined {
  if (!asked || !escalated) return undefined;
  const current = asked.escalation?.steps[escalated.step - 1];
  const number = (reminded?.number ?? 0) + 1;
  if (!current?.remindEveryMs || number > mostReminders) return undefined;
  const { approvalId, toolCallId, deadline = Number.POSITIVE_INFINITY } = asked;
  const last = Math.max(escalated.at, reminded?.at ?? 0, current.at);
  const intervals = Math.floor((last - current.at) / current.remindEveryMs) + 1;
  const at = current.at + intervals * current.remindEveryMs;
  if (at >= deadline) return undefined;
  return { at, body: { type: 'approval-reminded', approvalId, toolCallId, number } };
}

/** How far the escalation of a question has come; `undefined` if the question has none. */
export function escalationOf(call: Call): EscalationState | undefined {
  const { asked, escalated, reminded } = call;
  if (!asked?.escalation) return undefined;
  const { steps } = asked.escalation;
  const next = nextEscalation(call);
  return {
    step: escalated?.step ?? 0,
    of: steps.length,
    at: escalated?.at,
    label: escalated?.label,
    reminders: reminded?.number,
    nextAt: next?.at,
    end: asked.atDeadline,
  };
}
