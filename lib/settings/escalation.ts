import type { EscalationEnd, EscalationPlan } from '../protocol/index.ts';
import { agentOf } from './agents/agents.ts';
import type { ApproverRule, FlowSettings } from './flow-settings.ts';
import { detailsOf, toolNamed } from './tool-details.ts';

/** A step of an escalation. Times are milliseconds. */
export type EscalationStep = {
  /** When it is due, counted from when the question was asked. */
  readonly afterMs: number;
  /**
   * Who may answer from this step on, besides those who could before. Called like `approvers`, and only `true` counts as
   * permission. If the flow has `mayAnswer`, that must allow it, too.
   */
  readonly to: ApproverRule;
  /** Whom this step adds, such as "managers". It is shown with the question; at most 100 characters. */
  readonly label?: string;
  /** How often people are reminded after this step, until the next one. A question has at most 100 reminders. */
  readonly remindEveryMs?: number;
};

/**
 * What happens to a question while nobody answers it. Each step adds people who may answer, and is recorded in the log before
 * they may. No setting approves a call after a time.
 *
 * @source ADR 0048
 */
export type Escalation = {
  /** In the order of their times; at most 10. */
  readonly steps: readonly EscalationStep[];
  /**
   * What happens in the end, if nobody has answered. `deny`: as at a deadline. `withdraw`: the call ends without a decision.
   * `ask-again`: a new question replaces this one, and the escalation starts over, at most 3 times. Then the call is denied.
   * A question that cannot be asked again is denied: that of a running call, and of a call that the model's provider runs.
   */
  readonly end?: { readonly afterMs: number; readonly then: EscalationEnd };
};

/** How often a question is asked again because nobody has answered it. */
const mostRepeats = 3;

/** The escalation of a tool's questions: its own, or that of the flow. */
export function escalationFor(settings: FlowSettings, toolName: string): Escalation | undefined {
  const { escalation = settings.escalation } = detailsOf(settings, toolName);
  return escalation === false ? undefined : escalation;
}

/** True if a question may be escalated, of these settings or of a subagent within. */
export function escalates({
  tools = {},
  toolDetails = {},
  escalation,
}: Pick<FlowSettings, 'tools' | 'toolDetails' | 'escalation'>): boolean {
  return (
    escalation !== undefined ||
    Object.values(toolDetails).some((details) => details?.escalation) ||
    Object.values(tools).some((tool) => escalates(agentOf(tool)?.settings ?? {}))
  );
}

/** What is recorded with a question that is asked now. */
type Limits = { readonly deadline?: number; readonly escalation?: EscalationPlan };

/**
 * The deadline and the escalation of a question that is asked now. Steps from the deadline on never take place. The end of the
 * escalation is a deadline, too.
 *
 * @param now epoch milliseconds
 * @param question.deadlineMs how long it may stay open
 * @param question.timesUnanswered how often it was asked before
 * @param question.isHeld true for a question of a running call
 * @source ADR 0048
 */
export function limitsOf(
  settings: FlowSettings,
  now: number,
  question: {
    readonly toolName: string;
    readonly deadlineMs: number | undefined;
    readonly timesUnanswered?: number;
    readonly isHeld?: boolean;
  },
): Limits {
  const { toolName, deadlineMs = Number.POSITIVE_INFINITY, timesUnanswered = 0, isHeld = false } = question;
  const { steps = [], end } = escalationFor(settings, toolName) ?? {};
  const endMs = end?.afterMs ?? Number.POSITIVE_INFINITY;
  const openMs = Math.min(deadlineMs, endMs);
  const due = steps
    .filter(({ afterMs }) => afterMs < openMs)
    .map(({ afterMs, label, remindEveryMs }) => ({
      at: now + afterMs,
      ...(label !== undefined && { label }),
      ...(remindEveryMs !== undefined && { remindEveryMs }),
    }));
  const mayRepeat = !isHeld && timesUnanswered < mostRepeats && toolNamed(settings, toolName) !== undefined;
  const then = end && endMs <= deadlineMs ? whatHappens(end.then, mayRepeat) : undefined;
  return {
    ...(openMs < Number.POSITIVE_INFINITY && { deadline: now + openMs }),
    ...((due.length > 0 || then) && { escalation: { steps: due, ...(then && { end: then }) } }),
  };
}

function whatHappens(end: EscalationEnd, mayRepeat: boolean): EscalationEnd {
  return end === 'ask-again' && !mayRepeat ? 'deny' : end;
}
