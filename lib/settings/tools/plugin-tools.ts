import { CountersignError } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { ToolDetails } from './tool-settings.ts';

/** A registered symbol, since an app may load the package twice. */
const mark = Symbol.for('countersign.plugin-tool');

/** These settings with the tools of plugins. @throws CountersignError `invalid-settings` for a name that another tool has */
export function withPluginTools(settings: FlowSettings): FlowSettings {
  const added = (settings.plugins ?? []).flatMap(({ tools = {} }) => Object.entries(tools));
  if (added.length === 0) return settings;
  const tools = { ...settings.tools };
  const toolDetails: Record<string, ToolDetails | undefined> = { ...settings.toolDetails };
  for (const [name, { tool, details }] of added) {
    if (Object.hasOwn(tools, name)) {
      const text = `\`tools.${name}\` has the name of a plugin's tool. Rename it.`;
      throw new CountersignError('invalid-settings', text, { path: `tools.${name}` });
    }
    tools[name] = Object.assign({ ...tool }, { [mark]: true });
    toolDetails[name] = details;
  }
  return { ...settings, tools, toolDetails };
}

export function isPluginTool(tool: object | undefined): boolean {
  return tool !== undefined && mark in tool;
}

export function forModel(settings: FlowSettings): FlowSettings {
  const all = Object.entries(settings.tools ?? {});
  const own = all.filter(([, tool]) => !isPluginTool(tool));
  return own.length === all.length ? settings : { ...settings, tools: Object.fromEntries(own) };
}
