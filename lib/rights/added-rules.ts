import type { Call } from '../log/turn/turn.ts';
import type { AnswerRule, EventOf, Principal } from '../protocol/index.ts';
import type { FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import type { AddedRule } from '../settings/plugin/plugin-declaration.ts';
import { isPluginTool } from '../settings/tools/plugin-tools.ts';
import { toolNamed } from '../settings/tools/tool-details.ts';

/** Plugins' rules that let more people answer. The asker of a plugin's call can never answer. @source ADR 0056.19 */
export function addedRules(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): readonly (AddedRule & { readonly plugin: string })[] {
  const { toolName, askedBy } = question;
  if (isPluginTool(toolNamed(settings, toolName)) && askedBy.id === principal.id) return [];
  return (settings.plugins ?? []).flatMap(({ name: plugin, rules }) =>
    (rules?.(settings, question) ?? []).map((added) => ({ ...added, plugin })),
  );
}

/** The plugin whose rule allowed an answer; `undefined` if a rule of the kernel did. */
export function pluginOfRule(rule: AnswerRule | undefined): string | undefined {
  return rule?.startsWith('plugin:') ? rule.slice('plugin:'.length) : undefined;
}

/** What a plugin has recorded about a question. Without any, its rules do not count. */
export function recordedBy(
  plugin: string,
  { pluginEvents = [] }: Pick<Call, 'pluginEvents'>,
): readonly EventOf<'plugin-event'>[] {
  return pluginEvents.filter((event) => event.plugin === plugin);
}
