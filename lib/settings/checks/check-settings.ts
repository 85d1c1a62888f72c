import type { ToolSet } from 'ai';
import { auditKeyCheck } from '../../log/seal/audit-keys.ts';
import { isRecord } from '../../protocol/index.ts';
import {
  anything,
  bool,
  byKind,
  checkSettings,
  clock,
  duration,
  func,
  listOf,
  logger,
  mapOf,
  nearestOf,
  number,
  object,
  oneOf,
  port,
  type SettingCheck,
  type SettingChecks,
  text,
  timer,
  unfit,
  wholeNumber,
} from '../../protocol/settings.ts';
import { agentOf } from '../agents/agents.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { formerIdsCheck } from '../former-ids.ts';
import { isForm } from '../forms/ask-person.ts';
import { approvalStatuses, isApprovalStatus } from '../tools/guarded-gates.ts';
import { callbackChecks, callChecks, refusals } from './call-checks.ts';
import { argumentsCheck, formCheck } from './schema-check.ts';
import { storeCheck } from './store-check.ts';
import { byTool, noTool, toolDetailsCheck, toolNames } from './tool-details-check.ts';

const status: SettingCheck = (value, path) => {
  if (value === null || typeof value === 'function' || isApprovalStatus(value)) return;
  const name = isRecord(value) ? value.type : value;
  const isKnown = typeof name === 'string' && approvalStatuses.includes(name);
  if (isKnown) unfit(`${path}.reason`, 'must be a string');
  const nearest = typeof name === 'string' ? nearestOf(name, approvalStatuses) : undefined;
  unfit(
    path,
    `must be a function, or one of ${approvalStatuses.map((one) => `\`${one}\``).join(', ')}`,
    nearest,
  );
};

/** @param checked tools whose schemas were checked before: each check computes a JSON Schema */
function toolCheck(checked: ToolSet): SettingCheck {
  const schemas = new Set(Object.values(checked).flatMap((one) => [one.inputSchema, one.outputSchema]));
  return (value, path) => {
    if (!isRecord(value)) unfit(path, 'must be a tool');
    const { type, needsApproval, execute, inputSchema, outputSchema } = value;
    if (needsApproval !== undefined && typeof needsApproval !== 'function')
      bool(needsApproval, `${path}.needsApproval`);
    if (execute !== undefined) func(execute, `${path}.execute`);
    const isNew = (schema: unknown) => !schemas.has(schema as never);
    if (type !== 'provider' && isNew(inputSchema)) argumentsCheck(inputSchema, `${path}.inputSchema`);
    if (isForm(value) && isNew(outputSchema)) formCheck(outputSchema, `${path}.outputSchema`);
  };
}

const noPath = 'cannot contain `/`, which separates a subagent from its tools';

/** A flow's own tool must not be mistaken for a subagent's tool. */
function toolsCheck(checked: ToolSet): SettingCheck {
  return (value, at) => {
    mapOf(toolCheck(checked))(value, at);
    const agents = Object.entries(value as object).flatMap(([name, one]) => (agentOf(one) ? [name] : []));
    for (const name of Object.keys(value as object)) {
      const isPath =
        name.includes('/') && (agents.includes(name) || agents.some((agent) => name.startsWith(`${agent}/`)));
      if (isPath) unfit(`${at}.${name}`, noPath);
    }
  };
}

/** Only a flow has the plugins that check what its subagents say of their tools. */
function checkAgentDetails(settings: FlowSettings, tools: ToolSet, at: string): void {
  for (const [name, one] of Object.entries(tools)) {
    const agent = agentOf(one);
    if (!agent) continue;
    const { tools: own = {}, toolDetails } = agent.settings;
    const within: FlowSettings = { ...settings, tools: own, toolDetails };
    if (toolDetails) toolDetailsCheck(within)(toolDetails, `${at}.${name}.toolDetails`);
    checkAgentDetails(within, own, `${at}.${name}.tools`);
  }
}

/** All settings of the flow, by name. @param checked tools that were checked before */
export function checksFor(settings: FlowSettings, checked: ToolSet = {}): SettingChecks {
  const names = toolNames(settings);
  const toolName: SettingCheck = (value, path) => {
    text()(value, path);
    if (names && !names.includes(value as string)) unfit(path, noTool, nearestOf(value as string, names));
  };
  const toolApproval = byKind(
    { function: func, object: byTool(settings, status) },
    'must be a function, or an object',
  );
  const checks = {
    ...callChecks(settings, names, toolName),
    ...callbackChecks,
    id: text(),
    model: byKind({ string: text(), object: port('doStream') }, 'must be a model, or the id of one'),
    instructions: anything,
    toolChoice: byKind(
      {
        string: oneOf('auto', 'none', 'required'),
        object: object({ type: oneOf('tool'), toolName }, ['type', 'toolName']),
      },
      'must be a tool choice',
    ),
    toolApproval,
    stopWhen: byKind({ function: func, list: listOf(func) }, 'must be a function, or a list of functions'),
    prepareStep: func,
    activeTools: listOf(toolName),
    maxOutputTokens: wholeNumber(1),
    temperature: number(-Number.MAX_VALUE, Number.MAX_VALUE),
    topP: number(0, 1),
    topK: number(0, Number.MAX_VALUE),
    presencePenalty: number(-Number.MAX_VALUE, Number.MAX_VALUE),
    frequencyPenalty: number(-Number.MAX_VALUE, Number.MAX_VALUE),
    stopSequences: listOf(text()),
    seed: wholeNumber(Number.MIN_SAFE_INTEGER),
    maxRetries: wholeNumber(0),
    headers: anything,
    providerOptions: mapOf(anything),
    repairToolCall: func,
    runtimeContext: mapOf(anything),
    callOptionsSchema: anything,
    prepareCall: func,
    store: storeCheck,
    tools: toolsCheck(checked),
    dynamicTools: bool,
    toolsContext: byTool(settings, anything),
    toolDetails: toolDetailsCheck(settings),
    messageMetadata: func,
    release: oneOf('final', 'progressive', 'hold-after-question'),
    retry: (value, path) => {
      if (value !== false) object({ delayMs: timer(0) })(value, path);
    },
    maxOutputBytes: wholeNumber(1),
    mayRead: func,
    mayChange: func,
    mayAnswer: func,
    mayWatch: func,
    formerIds: formerIdsCheck,
    mayPurge: func,
    mayOperate: func,
    plugins: listOf(port('setUp')),
    deadlineMs: duration(),
    approvalValidForMs: duration(),
    retentionMs: duration(),
    auditKey: auditKeyCheck,
    recordRetentionMs: duration(),
    checkpointMs: timer(),
    leaseMs: timer(),
    sweepMs: timer(),
    stopGraceMs: timer(0),
    waitUntil: func,
    replayMs: duration(0),
    clock,
    logger,
    random: func,
  } satisfies Record<keyof FlowSettings, SettingCheck>;
  return { ...checks, ...refusals };
}

/**
 * Refuses settings of a flow that are misspelled, of the wrong type, or cannot take effect. Settings for
 * unknown tools are refused, unless the tools are not known yet.
 *
 * @throws CountersignError `invalid-settings`, with `path` and `nearest`
 * @source ADR 0011, ADR 0022
 */
export function checkFlowSettings(settings: FlowSettings): void {
  const all: SettingChecks = isRecord(settings) ? checksFor(settings) : {};
  const tools: SettingCheck = (value, path) => {
    all.tools?.(value, path);
    checkAgentDetails(settings, value as ToolSet, path);
  };
  const checks: SettingChecks = isRecord(settings) ? { ...all, tools, mayAccess: divided } : {};
  checkSettings('createApprovalFlow', settings, checks, ['model', 'store']);
}

/** The nearest name would be that of another right. */
const divided: SettingCheck = (_value, path) =>
  unfit(path, 'is refused: use `mayRead` for reading a chat, and `mayChange` for everything else');

/** Views, rights and denials use only the subagents of the flow. */
function knownAgents({ tools: flow = {} }: FlowSettings, check: SettingCheck): SettingCheck {
  return (value, path) => {
    check(value, path);
    for (const [name, one] of Object.entries(value as object)) {
      const agent = agentOf(one);
      const isKnown = !agent || (Object.hasOwn(flow, name) && agentOf(flow[name]) === agent);
      if (!isKnown) unfit(`${path}.${name}`, 'is not a subagent of the `tools` of the flow: add it there');
    }
  };
}

const notReturned: SettingCheck = (_value, path) =>
  unfit(path, 'cannot be returned: the model gets the messages of the log');

/**
 * Checks what `prepareCall` returned.
 *
 * @param allowed names that it may return
 * @throws CountersignError `invalid-settings`
 * @source ADR 0030
 */
export function checkPreparedCall(
  settings: FlowSettings,
  result: unknown,
  allowed: readonly string[],
): FlowSettings {
  const { tools: own, toolApproval = settings.toolApproval } = (
    isRecord(result) ? result : {}
  ) as FlowSettings;
  const { toolDetails, dynamicTools = settings.tools === undefined } = settings;
  const tools = { ...settings.tools, ...(isRecord(own) ? own : {}) };
  const all: SettingChecks = checksFor({ ...settings, tools, toolApproval, dynamicTools }, settings.tools);
  const checks = Object.fromEntries(allowed.map((name) => [name, all[name] ?? anything]));
  const agents = knownAgents(settings, checks.tools ?? anything);
  const known = { ...checks, tools: agents, messages: notReturned, prompt: notReturned };
  checkSettings('prepareCall', result, known, ['model']);
  // The details belong to the flow, and must also fit the tools of this call.
  checkSettings('prepareCall', { toolDetails }, { toolDetails: all.toolDetails ?? anything });
  const prepared = result as FlowSettings;
  if (settings.toolApproval !== undefined && (prepared.toolApproval ?? undefined) === undefined) {
    const why = 'is missing, which would remove every gate: return that of the flow, or `{}` for no gate';
    checkSettings(
      'prepareCall',
      { toolApproval: null },
      { toolApproval: (_value, path) => unfit(path, why) },
    );
  }
  return prepared;
}
