import { auditKeyCheck } from '../../log/seal/audit-keys.ts';
import type { FlowStore } from '../../log/store-port.ts';
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
import { requestTool } from '../agent-requests.ts';
import { agentOf, noAgentLimit } from '../agents/agents.ts';
import { isForm } from '../ask-person.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { formerIdsCheck } from '../former-ids.ts';
import { approvalStatuses, isApprovalStatus } from '../guarded-gates.ts';
import { delegationsCheck } from '../people.ts';
import { subscriptionsCheck } from '../subscriptions.ts';
import { executorOf, toolNamed } from '../tool-details.ts';
import type { ToolDetails } from '../tool-settings.ts';
import { callbackChecks, callChecks, checksOfDeprecated, refusals } from './call-checks.ts';
import type { currentNames } from './deprecated-names.ts';
import {
  checkEndsInTime,
  checkStoreEscalates,
  escalationCheck,
  toolEscalationCheck,
} from './escalation-checks.ts';
import { optionsCheck } from './options-check.ts';

/** A custom store may have additional methods. */
const storeMethods = Object.keys({
  append: true,
  read: true,
  head: true,
  chats: true,
  staleChats: true,
  restingHeads: true,
  rename: true,
  reassign: true,
  erase: true,
  erasedAt: true,
  keptRecords: true,
  dropRecords: true,
  question: true,
  questions: true,
  dueQuestions: true,
  questionChanges: true,
  lastQuestionChange: true,
  recentCalls: true,
  grants: true,
  grantsOf: true,
  revoke: true,
  claimLease: true,
  orphans: true,
  requestStop: true,
  stopRequested: true,
  announce: true,
  retire: true,
  subscribe: true,
  cursorKey: true,
  close: true,
} satisfies Record<
  Exclude<keyof FlowStore, 'clock' | 'subscriptions' | 'insights' | (typeof optionalMethods)[number]>,
  true
>);

const optionalMethods = [
  'settledQuestions',
  'questionsToEscalate',
  'chatsChangedSince',
  'addResultPart',
  'resultPart',
] as const;

const storeClock = port('now', 'measure');
const storeInsights = port('read', 'feed', 'write');

const store =
  (settings: FlowSettings): SettingCheck =>
  (value, path) => {
    port(...storeMethods)(value, path);
    const { clock: own, insights, ...given } = value as Partial<FlowStore>;
    if (own !== undefined) storeClock(own, `${path}.clock`);
    if (insights !== undefined) storeInsights(insights, `${path}.insights`);
    for (const name of optionalMethods) if (given[name] !== undefined) func(given[name], `${path}.${name}`);
    checkStoreEscalates(settings, path);
  };

/** A path of `Secrets`: keys separated by dots, or an empty string for the whole value. */
const secretPath: SettingCheck = (value, path) => {
  const isPath = typeof value === 'string' && (value === '' || value.split('.').every((key) => key !== ''));
  if (!isPath) unfit(path, 'must be a path: keys separated by dots, or an empty string for the whole value');
};

const secretPaths = object({ input: listOf(secretPath), output: listOf(secretPath) });

/** With an empty list, nobody could answer. */
const methodNames: SettingCheck = (value, path) => {
  listOf(text())(value, path);
  if ((value as readonly unknown[]).length === 0) unfit(path, 'must name at least one method');
};

const riskLevel = oneOf('low', 'medium', 'high');

/** Each question has all its votes in its row. */
const mostVotes = 100;

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
  escalation: toolEscalationCheck,
  approvalValidForMs: duration(),
  version: text(),
  approvers: func,
  approvals: object({ count: wholeNumber(1, mostVotes), of: func, denials: wholeNumber(1, mostVotes) }, [
    'count',
  ]),
  shareContext: bool,
  whoMayAnswer: func,
  stepUp: object({ maxAgeMs: duration(), methods: methodNames }, ['maxAgeMs']),
  neverRemember: bool,
  reasonOnDeny: bool,
  options: optionsCheck,
  secrets: secretPaths,
} satisfies Record<keyof ToolDetails, SettingCheck>;

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

const tool: SettingCheck = (value, path) => {
  if (!isRecord(value)) unfit(path, 'must be a tool');
  const { needsApproval, execute } = value;
  if (needsApproval !== undefined && typeof needsApproval !== 'function')
    bool(needsApproval, `${path}.needsApproval`);
  if (execute !== undefined) func(execute, `${path}.execute`);
};

const noPath = 'cannot contain `/`, which separates a subagent from its tools';

/** A flow's own tool must not be mistaken for a subagent's tool. */
const tools: SettingCheck = (value, at) => {
  mapOf(tool)(value, at);
  const agents = Object.entries(value as object).flatMap(([name, one]) => (agentOf(one) ? [name] : []));
  for (const name of Object.keys(value as object)) {
    const isPath =
      name.includes('/') && (agents.includes(name) || agents.some((agent) => name.startsWith(`${agent}/`)));
    if (isPath) unfit(`${at}.${name}`, noPath);
  }
};

const noTool = 'is not a tool of `tools`';

/** The tool names that settings may use; `undefined` when they are not known yet. */
function toolNames({ tools, dynamicTools }: FlowSettings): readonly string[] | undefined {
  return isRecord(tools) && dynamicTools !== true ? Object.keys(tools) : undefined;
}

/** Settings by tool name. The names of tools on a model vendor's MCP servers are known only to the vendor. */
function byTool(settings: FlowSettings, check: SettingCheck): SettingCheck {
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

/**
 * A tool that the client executes needs its arguments, so they cannot be hidden from the client.
 *
 * @source ADR 0011
 */
function toolDetails(settings: FlowSettings): SettingCheck {
  return (value, path) => {
    byTool(settings, object(detailsChecks))(value, path);
    for (const [name, details] of Object.entries(settings.toolDetails ?? {})) {
      const found = toolNamed(settings, name);
      if (isForm(found) && details?.options)
        unfit(
          `${path}.${name}.options`,
          'cannot be offered: a person answers this tool by filling in its form',
        );
      if (agentOf(found)) checkAgentDetails(details, `${path}.${name}`);
      checkEndsInTime(settings, details, `${path}.${name}.`);
      if (details?.previewRequired && !details.preview)
        unfit(`${path}.${name}.previewRequired`, 'needs a `preview`');
      checkApprovals(settings, name, `${path}.${name}.approvals`);
      const runsOnClient = found && found.type !== 'provider' && executorOf(found, false) === 'client';
      if (!runsOnClient || details?.secrets?.input === undefined) continue;
      unfit(
        `${path}.${name}.secrets.input`,
        'cannot be hidden from the client, which executes this tool: remove it, or give the tool an `execute`',
      );
    }
  };
}

/** @source ADR 0047 */
function checkApprovals(settings: FlowSettings, name: string, path: string): void {
  const { approvals, approvers, options } = settings.toolDetails?.[name] ?? {};
  if (!approvals) return;
  if (options) unfit(path, 'is not supported with `options`: people could approve different arguments');
  if (approvals.of && approvers)
    unfit(`${path}.of`, 'is a second rule beside `approvers`: give one of the two');
  const found = toolNamed(settings, name);
  if (found?.type === 'provider' || (!found && name.startsWith('mcp.'))) {
    unfit(path, 'is not supported for a tool that the model’s provider runs: its question takes one answer');
  }
  if (found && executorOf(found, false) === 'client') {
    unfit(path, 'is not supported for a tool that the client executes: it would run at the first approval');
  }
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

function agentRequestsCheck({ tools: own }: FlowSettings): SettingCheck {
  return (value, path) => {
    object({ approvers: func }, ['approvers'])(value, path);
    if (isRecord(own) && Object.hasOwn(own, requestTool)) {
      unfit(`tools.${requestTool}`, 'has the name of the tool of `agentRequests`: rename it');
    }
  };
}

/** All settings of the flow, by name. */
export function checksFor(settings: FlowSettings): SettingChecks {
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
    policies: mapOf(toolApproval),
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
    telemetry: mapOf(anything),
    repairToolCall: func,
    runtimeContext: mapOf(anything),
    callOptionsSchema: anything,
    prepareCall: func,
    store: store(settings),
    tools,
    dynamicTools: bool,
    toolsContext: byTool(settings, anything),
    toolDetails: toolDetails(settings),
    messageMetadata: func,
    release: oneOf('final', 'progressive', 'hold-after-question'),
    retry: (value, path) => {
      if (value !== false) object({ delayMs: timer(0) })(value, path);
    },
    maxOutputBytes: wholeNumber(1),
    mayAccess: func,
    mayAnswer: func,
    agentRequests: agentRequestsCheck(settings),
    mayWatch: func,
    people: func,
    showApproversToAsker: bool,
    delegations: delegationsCheck(settings.people),
    formerIds: formerIdsCheck,
    mayPurge: func,
    mayOperate: func,
    deadlineMs: duration(),
    escalation: (value, path) => {
      escalationCheck(value, path);
      checkEndsInTime({}, settings, '');
    },
    approvalValidForMs: duration(),
    retentionMs: duration(),
    auditKey: auditKeyCheck,
    subscriptions: subscriptionsCheck(settings.store),
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
  } satisfies Record<Exclude<keyof FlowSettings, keyof typeof currentNames>, SettingCheck>;
  return { ...checks, ...checksOfDeprecated(checks), ...refusals };
}

/**
 * Refuses settings of a flow that are misspelled, of the wrong type, or cannot take effect. Settings for
 * unknown tools are refused, unless the tools are not known yet.
 *
 * @throws CountersignError `invalid-settings`, with `path` and `nearest`
 * @source ADR 0011, ADR 0022
 */
export function checkFlowSettings(settings: FlowSettings): void {
  const checks = isRecord(settings) ? checksFor(settings) : {};
  checkSettings('createApprovalFlow', settings, checks, ['model', 'store']);
}

/**
 * Refuses a gate that the setting `toolApproval` of this flow could not be.
 *
 * @throws CountersignError `invalid-settings`, with `path` and `nearest`
 * @source ADR 0046
 */
export function checkPolicy(settings: FlowSettings, policy: unknown): void {
  const { toolApproval: check = anything } = checksFor(settings);
  checkSettings('rehearse', { policy }, { policy: check });
}

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
 * Checks what `prepareCall` returned. Its settings may name its own tools and those of the flow.
 *
 * @param allowed the names of what it may return
 * @throws CountersignError `invalid-settings`
 * @source ADR 0022, ADR 0030
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
  const all: SettingChecks = checksFor({ ...settings, tools, toolApproval, dynamicTools });
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
