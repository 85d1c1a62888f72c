import type { RuledQuestion } from '../../settings/approver-rule.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { AddedRule } from '../../settings/plugin/plugin-declaration.ts';
import { type Escalation, escalationOf } from './settings.ts';

/**
 * Rules that let more people answer a question than could before: those of the steps that are in its log.
 *
 * @source ADR 0048
 */
export function rulesOfSteps(
  settings: FlowSettings,
  { toolName, plugins }: RuledQuestion,
  ofAll: Escalation | undefined,
): readonly AddedRule[] {
  const steps = escalationOf(settings, toolName, ofAll)?.steps ?? [];
  return steps
    .slice(0, plugins?.escalation?.step ?? 0)
    .map(({ to }, index) => ({ name: `escalation.steps[${index}].to`, rule: to }));
}
