import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { DueCall } from '../../settings/plugin/plugin-declaration.ts';
import { checkEndsInTime, checkEscalation, checkOfTool } from './checks.ts';
import { dueRecords, escalateDue, escalateIfDue } from './escalate.ts';
import { planOf } from './plan.ts';
import { rulesOfSteps } from './rules.ts';
import { type Escalation, escalationOf } from './settings.ts';

export { escalationLines } from './client/lines.ts';
export type { EscalationState } from './client/state.ts';
export type { EscalationWords } from './client/words.ts';
export type { Escalation, EscalationStep } from './settings.ts';

/**
 * Lets more people answer a question after a time, reminds them, and ends the question. No setting approves a call after a time.
 *
 * @param ofAll for the tools that have no `escalation` of their own in `toolDetails`. Default: none
 * @throws CountersignError `invalid-settings`
 * @example escalation({ steps: [{ afterMs: 900_000, to: ({ role }) => role === 'manager', label: 'managers' }] })
 * @source ADR 0048
 */
export function escalation(ofAll?: Escalation): FlowPlugin<'escalation', object> {
  if (ofAll) checkEscalation(ofAll);
  const planFor = (due: DueCall<FlowSettings>) => {
    const own = escalationOf(due.settings, due.toolName, ofAll);
    return own && planOf(own, due);
  };
  return {
    name: 'escalation',
    checkDetails: checkOfTool,
    asked: (due) => planFor(due)?.state,
    ends: (due) => planFor(due)?.end,
    rules: (settings, question) => rulesOfSteps(settings, question, ofAll),
    records: dueRecords,
    setUp(kernel) {
      if (ofAll) checkEndsInTime(kernel.settings, ofAll);
      return {
        methods: {},
        sweep: () => escalateDue(kernel),
        beforeExpiry: (question) => escalateIfDue(kernel, question),
      };
    },
  };
}
