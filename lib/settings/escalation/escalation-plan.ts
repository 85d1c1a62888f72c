import type { AtDeadline, EscalationPlan } from '../../protocol/index.ts';
import { agentOf } from '../agents/agents.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { detailsOf } from '../tools/tool-details.ts';
import type { Escalation } from './escalation.ts';

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
type Limits = {
  readonly deadline?: number;
  readonly atDeadline?: AtDeadline;
  readonly escalation?: EscalationPlan;
};

/**
 * The deadline and the escalation of a question that is asked now. Steps from the deadline on never take place. The end of the
 * escalation is a deadline, too.
 *
 * @param now epoch milliseconds
 * @param question.deadlineMs how long it may stay open
 * @param question.mayAskAgain whether it may be asked again if nobody answers. Otherwise it is denied
 * @source ADR 0048
 */
export function limitsOf(
  settings: FlowSettings,
  now: number,
  question: {
    readonly toolName: string;
    readonly deadlineMs: number | undefined;
    readonly mayAskAgain: boolean;
  },
): Limits {
  const { toolName, deadlineMs = Number.POSITIVE_INFINITY, mayAskAgain } = question;
  const { steps = [], end } = escalationFor(settings, toolName) ?? {};
  const endMs = end?.afterMs ?? Number.POSITIVE_INFINITY;
  const openMs = Math.min(deadlineMs, endMs);
  const due = steps
    .filter(({ afterMs }) => afterMs < openMs)
    .map(({ afterMs, label, remindEveryMs }) => ({
      at: now + afterMs,
      label,
      remindEveryMs,
    }));
  const then = end && endMs <= deadlineMs ? end.then : undefined;
  return {
    deadline: openMs < Number.POSITIVE_INFINITY ? now + openMs : undefined,
    atDeadline: then === 'ask-again' && !mayAskAgain ? 'deny' : then,
    escalation: due.length > 0 || then ? { steps: due } : undefined,
  };
}
