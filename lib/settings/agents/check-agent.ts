import { isRecord } from '../../protocol/index.ts';
import {
  anything,
  checkSettings,
  func,
  type SettingCheck,
  type SettingChecks,
  text,
  unfit,
} from '../../protocol/settings.ts';
import { modelSettings } from '../call/model-settings.ts';
import { checksFor } from '../checks/check-settings.ts';
import { argumentsCheck } from '../checks/schema-check.ts';
import { kernelDetails } from '../checks/tool-details-check.ts';
import type { FlowSettings } from '../flow-settings.ts';
import type { AgentSettings, SubagentTool } from './agent-settings.ts';
import { agentOf } from './agents.ts';

const supported: readonly (keyof AgentSettings)[] = [
  ...modelSettings,
  'tools',
  'toolApproval',
  'toolDetails',
  'stopWhen',
];

/** How deep subagents may be nested: a subagent of a subagent. */
const deepest = 2;

const toolChecks = {
  title: text(),
  description: text(),
  inputSchema: argumentsCheck,
  prompt: func,
} satisfies Record<keyof SubagentTool<unknown>, SettingCheck>;

/** Refuses what a subagent does not support. @throws CountersignError `invalid-settings` @source ADR 0035 */
export function checkAgentSettings(agent: AgentSettings, options: object): void {
  if (isRecord(agent) && 'generate' in agent) {
    checkSettings('subagent', { agent }, { agent: (_value, path) => unfit(path, isAgent) });
  }
  const all = isRecord(agent) ? checksFor(agent as FlowSettings) : {};
  const known = supported.map((name) => [name, all[name] ?? anything] as const);
  const checks: SettingChecks = Object.fromEntries(known);
  const toolDetails: SettingCheck = (value, path) => checks.toolDetails?.(kernelDetails(value), path);
  const own = { ...checks, toolDetails, tools: ownTools(checks.tools ?? anything) };
  checkSettings('subagent', agent, own, ['model']);
  checkSettings('subagent', options, toolChecks, ['description', 'inputSchema', 'prompt']);
}

const isAgent = 'must be the settings of an agent, as `new ToolLoopAgent` gets them';

function ownTools(check: SettingCheck): SettingCheck {
  return (value, path) => {
    check(value, path);
    for (const [name, tool] of Object.entries(value as Readonly<Record<string, Record<string, unknown>>>)) {
      const at = `${path}.${name}`;
      if (name.includes('/')) unfit(at, 'cannot contain `/`, which separates a subagent from its tools');
      if (tool.execute === undefined || tool.type === 'provider') {
        unfit(at, 'needs an `execute`: a subagent has no page and no provider that could run its tools');
      }
      if (tool.contextSchema !== undefined) {
        unfit(
          at,
          'has a `contextSchema`, which subagents do not support. Use the `principal` in its context',
        );
      }
      if ((agentOf(tool)?.depth ?? 0) >= deepest) {
        unfit(at, `is a subagent that is nested too deep: at most ${deepest} levels are supported`);
      }
    }
  };
}
