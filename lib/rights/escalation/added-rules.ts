import type { Principal } from '../../protocol/index.ts';
import { escalationFor } from '../../settings/escalation/escalation-plan.ts';
import type { ApproverRule, FlowSettings, RuledQuestion } from '../../settings/flow-settings.ts';
import { isPluginTool } from '../../settings/tools/plugin-tools.ts';
import { toolNamed } from '../../settings/tools/tool-details.ts';

/**
 * Rules that let more people answer a question than could before: those of the escalation's steps that are in its log. They
 * take the place of the tool's rule and of the owner, not of the flow's rule. If a plugin made the call, the principal that asked can never answer.
 *
 * @source ADR 0048
 */
export function addedRules(
  settings: FlowSettings,
  principal: Principal,
  { toolName, askedBy, escalation }: RuledQuestion,
): readonly { readonly name: string; readonly rule: ApproverRule }[] {
  if (isPluginTool(toolNamed(settings, toolName)) && askedBy.id === principal.id) return [];
  const steps = escalationFor(settings, toolName)?.steps ?? [];
  return steps
    .slice(0, escalation?.step ?? 0)
    .map(({ to }, index) => ({ name: `escalation.steps[${index}].to`, rule: to }));
}
