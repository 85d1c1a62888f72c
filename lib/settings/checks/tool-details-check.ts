import { isRecord, type ToolPlugins } from '../../protocol/index.ts';
import {
  anything,
  bool,
  byKind,
  duration,
  func,
  listOf,
  mapOf,
  object,
  oneOf,
  type SettingCheck,
  text,
  timer,
  unfit,
} from '../../protocol/settings.ts';
import { agentOf, noAgentLimit } from '../agents/agents.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { isForm } from '../forms/ask-person.ts';
import { optionsCheck } from '../forms/options-check.ts';
import type { CheckedTool, PluginDeclaration } from '../plugin/plugin-declaration.ts';
import { executorOf, toolNamed } from '../tools/tool-details.ts';
import type { ToolDetails } from '../tools/tool-settings.ts';

export const noTool = 'is not a tool of `tools`';

/** The tool names that settings may use; `undefined` when they are not known yet. */
export function toolNames({ tools, dynamicTools }: FlowSettings): readonly string[] | undefined {
  return isRecord(tools) && dynamicTools !== true ? Object.keys(tools) : undefined;
}

/** Settings by tool name. The names of tools on a model vendor's MCP servers are known only to the vendor. */
export function byTool(settings: FlowSettings, check: SettingCheck): SettingCheck {
  const names = toolNames(settings);
  const hasVendor = Object.values(settings.tools ?? {}).some(
    (one) => isRecord(one) && one.type === 'provider',
  );
  return (value, path) => {
    const given = isRecord(value) ? Object.keys(value) : [];
    const vendors = hasVendor ? given.filter((name) => name.startsWith('mcp.')) : [];
    mapOf(check, names && [...names, ...vendors], noTool)(value, path);
  };
}

/** A path of `Secrets`: keys separated by dots, or an empty string for the whole value. */
const secretPath: SettingCheck = (value, path) => {
  const isPath = typeof value === 'string' && (value === '' || value.split('.').every((key) => key !== ''));
  if (!isPath) unfit(path, 'must be a path: keys separated by dots, or an empty string for the whole value');
};

const secretPaths = object({ input: listOf(secretPath), output: listOf(secretPath) });

/** With an empty list, no person could answer. */
const methodNames: SettingCheck = (value, path) => {
  listOf(text())(value, path);
  if ((value as readonly unknown[]).length === 0) unfit(path, 'must name at least one method');
};

const riskLevel = oneOf('low', 'medium', 'high');

const detailsChecks = {
  describe: func,
  describeError: func,
  risk: byKind(
    {
      string: riskLevel,
      function: func,
      object: object({ level: riskLevel, reason: text() }, ['level', 'reason']),
    },
    'must be a level, a level with its reason, or a function',
  ),
  subject: func,
  preview: func,
  previewRequired: bool,
  summarize: func,
  kind: oneOf('function', 'mcp', 'file_search', 'web_search'),
  title: text(),
  idempotent: bool,
  mayAsk: bool,
  retryable: bool,
  timeoutMs: timer(),
  lookup: func,
  deadlineMs: duration(),
  approvalValidForMs: duration(),
  version: text(),
  approvers: func,
  shareContext: bool,
  whoMayAnswer: func,
  stepUp: object({ maxAgeMs: duration(), methods: methodNames }, ['maxAgeMs']),
  reasonOnDeny: bool,
  options: optionsCheck,
  secrets: secretPaths,
} satisfies Record<Exclude<keyof ToolDetails, keyof ToolPlugins>, SettingCheck>;

/** The details of each tool that no plugin checks. Those of a subagent are checked when its flow is created, which has the plugins. */
export function kernelDetails(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const known = (details: unknown) =>
    isRecord(details)
      ? Object.fromEntries(Object.entries(details).filter(([name]) => Object.hasOwn(detailsChecks, name)))
      : details;
  return Object.fromEntries(Object.entries(value).map(([tool, details]) => [tool, known(details)]));
}

export function toolDetailsCheck(settings: FlowSettings): SettingCheck {
  return (value, path) => {
    const plugins = (settings.plugins ?? []).filter(({ checkDetails }) => checkDetails);
    const named = Object.fromEntries(plugins.map(({ name }) => [name, anything]));
    byTool(settings, object({ ...named, ...detailsChecks }))(value, path);
    for (const [name, details] of Object.entries(settings.toolDetails ?? {})) {
      const found = toolNamed(settings, name);
      const at = `${path}.${name}`;
      if (isForm(found)) checkFormDetails(details, at);
      if (agentOf(found)) checkAgentDetails(details, at);
      const runsOnClient = found && found.type !== 'provider' && executorOf(found, false) === 'client';
      if (runsOnClient) checkClientDetails(details, at);
      if (details?.previewRequired && !details.preview) unfit(`${at}.previewRequired`, 'needs a `preview`');
      for (const plugin of plugins) checkOfPlugin(plugin, details, at, { settings, toolName: name });
    }
  };
}

function checkOfPlugin(
  { name, checkDetails }: PluginDeclaration<FlowSettings>,
  details: object | undefined,
  at: string,
  tool: CheckedTool<FlowSettings>,
): void {
  const own = details && Object.entries(details).find(([key]) => key === name)?.[1];
  if (own !== undefined) checkDetails?.(own, `${at}.${name}`, tool);
}

/** A person answers once, by filling in a form. @source ADR 0050 */
function checkFormDetails(details: ToolDetails | undefined, path: string): void {
  if (details?.options)
    unfit(`${path}.options`, 'cannot be offered: a person answers this tool by filling in its form');
}

/** A client executes a call with the arguments that its part shows. @source ADR 0011, ADR 0020 */
function checkClientDetails(details: ToolDetails | undefined, path: string): void {
  if (details?.secrets?.input !== undefined)
    unfit(
      `${path}.secrets.input`,
      'cannot be hidden from the client, which executes this tool: remove it, or give the tool an `execute`',
    );
  const changed = details?.options?.findIndex(({ input }) => input !== undefined) ?? -1;
  if (changed >= 0)
    unfit(
      `${path}.options[${changed}].input`,
      'has no effect on the client, which executes this tool with the arguments of the call: remove it, or give the tool an `execute`',
    );
}

/** What the call of a subagent does not support, because it starts and ends in one append. */
const notForAgents = {
  timeoutMs: noAgentLimit,
  lookup: 'is not supported for a subagent: the outcome of its call is never unknown',
  mayAsk: 'is not supported for a subagent: set it for the tools of the subagent',
  idempotent:
    'is not supported for a subagent: its call is never run again. Set it for the tools of the subagent',
} satisfies Partial<Record<keyof ToolDetails, string>>;

function checkAgentDetails(details: ToolDetails | undefined, path: string): void {
  for (const [name, why] of Object.entries(notForAgents)) {
    if (details?.[name as keyof typeof notForAgents] !== undefined) unfit(`${path}.${name}`, why);
  }
}
