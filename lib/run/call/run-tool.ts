import {
  asSchema,
  type ExecutableTool,
  executeTool,
  isExecutableTool,
  safeValidateTypes,
} from '@ai-sdk/provider-utils';
import type { ModelMessage } from 'ai';
import type { Call } from '../../log/turn/turn.ts';
import { steadyTime } from '../../protocol/clock/clock.ts';
import {
  type ChatId,
  type Clock,
  type EventBody,
  type JsonValue,
  type Pause,
  type Principal,
  type RunId,
  toJson,
} from '../../protocol/index.ts';
import type { DataWriter } from '../../settings/call/data-writer.ts';
import { defaultStopGraceMs } from '../../settings/default-times.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { Ask } from '../../settings/forms/ask.ts';
import { isLargeResult } from '../../settings/tools/large-result.ts';
import { timeLimitOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { createAsk } from '../asking/create-ask.ts';
import type { PendingQuestion, Settled } from '../asking/pending-question.ts';
import type { CalledBack } from '../callbacks/callbacks.ts';
import { createToolCallbacks } from '../callbacks/tool-callbacks.ts';
import { createDataWriter } from '../data/data-writer.ts';
import type { WrittenPart } from '../data/parse-data-part.ts';
import { ended } from '../data/write-part.ts';
import type { WorkEnd } from '../observing/observer.ts';
import { kindOfError, unobserved, type Watched } from '../observing/observers.ts';
import type { Attempt } from './attempt.ts';
import { keepResult } from './result/keep-result.ts';
import type { KeepText } from './result/keep-text.ts';
import type { StartCheck } from './start-check.ts';
import { createTimeLimit } from './time-limit.ts';

export type Execution = {
  readonly settings: FlowSettings;
  readonly clock: Clock;
  readonly call: Call;
  /** The arguments as they were given: what is logged, and where secrets are looked for. */
  readonly input: JsonValue;
  /** Parses them for each attempt. @throws Error if the result differs from that of the first attempt */
  readonly parse: () => Promise<unknown>;
  readonly chatId: ChatId;
  readonly principal: Principal;
  readonly idempotencyKey: string;
  /** Called only if the tool reads them, because building a long transcript is costly. */
  readonly messages: () => ModelMessage[];
  readonly callbacks: CalledBack;
  readonly watch: Pick<Watched, 'begin'>;
  readonly runId: RunId;
  readonly abortSignal: AbortSignal;
  readonly check: StartCheck;
  /** The pause that the tool is under. Synchronous. @source ADR 0023 */
  readonly pausedBy: () => Pause | undefined;
  readonly write: (written: WrittenPart) => Promise<void>;
  readonly keepText: KeepText;
  /** Asks the person something for this call, until the signal is aborted. */
  readonly ask: (question: PendingQuestion, over: AbortSignal) => Promise<Settled>;
  readonly report: (body: EventBody) => Promise<void>;
};

/** Runs the tool once. It is abandoned a grace period after an abort, or at its time limit. @source H5, ADR 0019 */
export async function runTool(execution: Execution): Promise<Attempt> {
  const { settings, clock, call, abortSignal, callbacks, chatId, runId, messages } = execution;
  const timeoutMs = timeLimitOf(settings, call.requested.toolName);
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<'stopped' | 'timed-out'>();
  const timers: (() => void)[] = [];
  /** Aborted with the attempt. Most tools ask nothing, and need none. */
  let asking: AbortController | undefined;
  let isOver = false;

  const onAbort = () => {
    timers.push(clock.after(settings.stopGraceMs ?? defaultStopGraceMs, () => abandon('stopped')));
  };
  if (abortSignal.aborted) onAbort();
  else abortSignal.addEventListener('abort', onAbort, { once: true });

  const writer = createDataWriter(async (written) => {
    if (isOver) throw ended(chatId, call.requested.toolCallId);
    return execution.write(written);
  });
  const limit =
    timeoutMs === undefined ? undefined : createTimeLimit(clock, timeoutMs, () => abandon('timed-out'));
  const ask = createAsk(execution, async (question) => {
    if (isOver) return { action: 'cancel' };
    asking ??= new AbortController();
    // A person's time is not the tool's.
    limit?.freeze();
    return execution.ask(question, asking.signal).finally(() => limit?.resume());
  });
  const context = await contextOf({ ...execution, writer, ask });
  const place = { chatId, runId };
  const observer = createToolCallbacks({
    callbacks,
    place,
    call,
    context,
    messages,
    now: () => steadyTime(clock),
  });

  let watch = unobserved;
  const ran = run({
    ...execution,
    context,
    abortSignal: limit ? AbortSignal.any([abortSignal, limit.signal]) : abortSignal,
    onStart(parsed) {
      watch = beginWatch(execution, parsed);
      observer.begin(parsed);
      limit?.resume();
      return watch;
    },
    // Reports end with the attempt.
    report: async (body) => (isOver ? undefined : execution.report(body)),
  }).catch((error: unknown): Attempt => ({ type: 'error', error }));
  try {
    const attempt = await Promise.race([
      ran,
      abandoned.then((why): Attempt => ({ type: 'abandoned', why, later: ran })),
    ]);
    observer.end(attempt);
    watch.end(endOf(attempt));
    return attempt;
  } finally {
    isOver = true;
    asking?.abort();
    limit?.freeze();
    abortSignal.removeEventListener('abort', onAbort);
    for (const cancel of timers) cancel();
  }
}

async function run(execution: Started & { onStart(parsed: unknown): Watched }): Promise<Attempt> {
  const { settings, call, abortSignal, check, onStart } = execution;
  const { toolName } = call.requested;
  const tool = toolNamed(settings, toolName);
  if (!isExecutableTool(tool)) throw new Error(`Tool ${toolName} is no longer available.`);
  const options = optionsOf(execution);
  const parsed = await execution.parse();
  for (;;) {
    if (abortSignal.aborted) return { type: 'not-started', why: 'aborted' };
    if (check.isSure()) break;
    if (!(await check.secure(abortSignal))) return { type: 'not-started', why: 'lost' };
  }
  const pause = execution.pausedBy();
  if (pause) return { type: 'paused', pause };
  // Nothing is awaited between the check and `execute`, so the lease cannot end unnoticed in between.
  return onStart(parsed).bind(outputOf)(tool, parsed, options, execution);
}

function beginWatch({ watch, call: { requested, asked } }: Execution, input: unknown): Watched {
  const { toolName, toolCallId, kind, secrets } = requested;
  const approvalId = asked?.approvalId;
  return watch.begin({ type: 'tool', toolName, toolCallId, kind, approvalId, input }, secrets !== undefined);
}

function endOf(attempt: Attempt): WorkEnd {
  switch (attempt.type) {
    case 'output':
      return { output: attempt.output };
    case 'error': {
      const { error } = attempt;
      return { failure: kindOfError(error), message: error instanceof Error ? error.message : undefined };
    }
    case 'abandoned':
      return { failure: attempt.why };
    case 'not-started':
    case 'paused':
      return {};
    default:
      return attempt satisfies never;
  }
}

async function outputOf(
  tool: ExecutableTool,
  parsed: unknown,
  options: object,
  execution: Started,
): Promise<Attempt> {
  const { call, report, abortSignal } = execution;
  let output: unknown;
  for await (const part of executeTool({ tool, input: parsed as never, options: options as never })) {
    if (part.type === 'final') output = part.output;
    else if (!isLargeResult(part.output)) {
      const { toolCallId } = call.requested;
      await report({ type: 'tool-progressed', toolCallId, output: toJson(part.output) });
    }
  }
  if (!isLargeResult(output)) return { type: 'output', output, parsed };
  const large = await keepResult(execution, attemptId(call), output, abortSignal);
  return { type: 'output', output: 'output' in large ? large.output : null, parsed, large };
}

/** A new id for each attempt, on any instance, because each attempt has its own start event in the log. */
function attemptId(call: Call): string {
  return `${call.requested.toolCallId} ${fencingTokenOf(call)}`;
}

function fencingTokenOf({ started, retried }: Call): number {
  return Math.max(started?.seq ?? 0, retried?.seq ?? 0);
}

/** An attempt, with what the tool gets as its `context`. */
type Started = Execution & { readonly context: object };

function optionsOf(execution: Started) {
  const { call, abortSignal, context } = execution;
  return {
    toolCallId: call.requested.toolCallId,
    get messages() {
      return execution.messages();
    },
    abortSignal,
    context,
  };
}

/** A tool's `context`: its own, parsed, and who and what the call is for. @throws Error if its own does not fit, unquoted */
export async function contextOf(
  parts: Pick<Execution, 'settings' | 'call' | 'chatId' | 'principal' | 'idempotencyKey'> & {
    readonly writer: DataWriter;
    readonly ask: Ask;
  },
) {
  const { settings, call, chatId, principal, idempotencyKey, writer, ask } = parts;
  const { toolName } = call.requested;
  const approvedBy = call.answered?.by;
  const approvals = call.recorded?.filter(({ approved }) => approved) ?? [];
  const approvers = approvedBy && [...approvals.map(({ by }) => by), approvedBy];
  return {
    ...(await ownContextOf(settings, toolName)),
    principal,
    chatId,
    ...(approvedBy && { approvedBy }),
    ...(approvers && call.recorded && { approvers }),
    idempotencyKey,
    fencingToken: fencingTokenOf(call),
    writer,
    ask,
  };
}

async function ownContextOf(settings: FlowSettings, toolName: string): Promise<object> {
  const { toolsContext } = settings;
  const own = toolsContext && Object.hasOwn(toolsContext, toolName) ? toolsContext[toolName] : undefined;
  const schema = toolNamed(settings, toolName)?.contextSchema;
  if (!schema) return (own ?? {}) as object;
  const checked = await safeValidateTypes({ value: own, schema: asSchema(schema) });
  if (checked.success) return (checked.value ?? {}) as object;
  throw new Error(`The context of ${toolName} in \`toolsContext\` does not fit its \`contextSchema\`.`);
}
