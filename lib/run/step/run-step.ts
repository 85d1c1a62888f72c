import type { ModelMessage, PrepareStepFunction, SystemModelMessage, TextStreamPart, ToolSet } from 'ai';
import * as ai from 'ai';
import type { Journal } from '../../log/journal.ts';
import { calls, type Turn } from '../../log/turn/turn.ts';
import type { Clock, EventBody, RunId, Source } from '../../protocol/index.ts';
import type { Context } from '../../settings/call/call-settings.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { forModel } from '../../settings/tools/plugin-tools.ts';
import type { CalledBack } from '../callbacks/callbacks.ts';
import { createStepCallbacks, type StepObserver } from '../callbacks/step-callbacks.ts';
import type { SdkOptions } from '../observing/observer.ts';
import { kindOfError, type Watched } from '../observing/observers.ts';
import type { PromptFits } from '../prompt/prompt-fits.ts';
import { TimedOut } from '../stops/time-limits.ts';
import { finishStep, type StepOutcome } from './finish-step.ts';
import { gatesOf, type TurnTools } from './gate.ts';
import { createGatedParts, type GatedParts } from './gated-parts.ts';
import { settingsOfSdk } from './settings-of-sdk.ts';
import {
  deltaOf,
  emptyContent,
  isCallPart,
  type StepContent,
  takeCallPart,
  takeFinish,
} from './step-content.ts';
import { stepRecords } from './step-records.ts';
import { createStreamRetries } from './stream-retries.ts';
import { limitsOfStep } from './turn-limits.ts';
import { createWholeCharacters } from './whole-characters.ts';
import { createWrittenCalls } from './written-calls.ts';

type Part = TextStreamPart<ToolSet>;

/** Keeps no second copy of what it streams. Experimental, so where `ai` has it no more `streamText` does the same. */
const { streamText, experimental_streamTextLowMemory: streamStep = streamText } = ai;

type StepRun = TurnTools & {
  readonly callbacks: CalledBack;
  readonly watch: Watched;
  readonly journal: Pick<Journal, 'turn' | 'stage' | 'commit'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly runId: RunId;
  /** Counts from 0 within the turn. */
  readonly step: number;
  readonly messages: ModelMessage[];
  readonly prompts: PromptFits;
  readonly abortSignal: AbortSignal;
  /** True for a tool call id that the chat has already. */
  readonly isUsed: (toolCallId: string) => boolean;
  /** Called before each call of the model. Rejects if another instance owns the run. */
  readonly ensureOwner: () => Promise<void>;
  /** Receives the contexts that `prepareStep` returns, for the later steps of the run. */
  readonly onContext: (contexts: Pick<FlowSettings, 'runtimeContext' | 'toolsContext'>) => void;
};

/**
 * One model step: streams its prose into the journal, and settles its tool calls. The SDK's own gate decides
 * (`toolApproval`, `needsApproval`); tools are passed without `execute`, because the engine decides when a
 * tool runs.
 *
 * @returns the events that finish the step
 * @throws the error of the model call; the text so far is staged
 * @throws TimedOut when the model sends nothing for longer than `timeout` allows
 */
export async function runStep(run: StepRun): Promise<StepOutcome> {
  const { settings, schemas, callbacks, journal, chatId, runId, step, abortSignal, isUsed } = run;
  const { turn } = journal;
  const starts = startedByRequest(journal.turn);
  if (starts.length > 0) await journal.commit(runId, ...starts);
  // A request that lets the provider run a call is sent once: a failed one may have had its effect.
  const isSentOnce = starts.length > 0;
  const place = { chatId, runId };
  const mayRetry = createStreamRetries(isSentOnce ? {} : settings, (error) =>
    unlessAborted(abortSignal, callbacks.askAboutError(error, place)),
  );
  let isFirst = turn.steps.length === turn.keptSteps;
  for (;;) {
    await run.ensureOwner();
    // The output of a failed attempt is dropped, like that of an owner that died.
    journal.stage(runId, { type: 'step-started', step });
    const observer = createStepCallbacks(
      { callbacks, settings, place },
      { step, turn: journal.turn, isFirst },
    );
    const limits = isSentOnce ? ({ maxRetries: 0 } as const) : {};
    const streamed = await watchedStream(run, observer, limits);
    if (streamed.type === 'content') {
      const { content } = streamed;
      return finishStep({ settings, schemas, chatId, turn: journal.turn, step, content, isUsed });
    }
    observer.failed(streamed.error);
    if (!streamed.hasBegun || !(await mayRetry(streamed.error))) throw streamed.error;
    isFirst = false;
  }
}

/** What a response was, or the error that ended it, perhaps before it had begun. */
type Streamed =
  | { readonly type: 'content'; readonly content: StepContent }
  | { readonly type: 'broken'; readonly hasBegun: boolean; readonly error: unknown };

type Limits = { readonly maxRetries?: 0 };

async function watchedStream(run: StepRun, observer: StepObserver, limits: Limits): Promise<Streamed> {
  const watch = run.watch.begin({ type: 'step', step: run.step });
  try {
    const streamed = await watch.bind(streamOnce)(run, observer, { ...limits, ...watch.sdk });
    // Observers get nothing that the model wrote.
    if (streamed.type === 'broken') watch.end({ failure: kindOfError(streamed.error) });
    else watch.end({ finishReason: streamed.content.finishReason, usage: streamed.content.usage });
    return streamed;
  } catch (error) {
    watch.end({ failure: kindOfError(error) });
    throw error;
  }
}

async function streamOnce(
  run: StepRun,
  observer: StepObserver,
  limits: Limits & SdkOptions,
): Promise<Streamed> {
  const { settings, schemas, principal, chatId, abortSignal } = run;
  const transform = settings.experimental_transform;
  const gates = gatesOf({ settings: forModel(settings), schemas, principal, chatId });
  const content = emptyContent(gates.failed);
  const gated = transform && createGatedParts();
  const { prepareStep, model } = settings;
  const messages = prepareStep ? run.messages : await run.prompts.fit(model, run.messages, run);
  const result = streamStep({
    ...settingsOfSdk(settings),
    ...limitsOfStep(run.journal.turn, settings),
    toolApproval: gates.toolApproval,
    instructions: withInstructions(settings.instructions, run.journal.turn.options?.instructions),
    ...limits,
    tools: gates.tools,
    toolsContext: settings.toolsContext as never,
    runtimeContext: settings.runtimeContext,
    messages,
    abortSignal,
    stopWhen: ai.isStepCount(1),
    ...prepareStepOf(run),
    ...(gated ? { experimental_transform: [gated.keep, ...[transform].flat()] } : {}),
    ...observer.settings,
    onError: () => {},
    onStepEnd: (event) => {
      content.messages = event.response.messages;
      observer.ended?.(event);
    },
  });
  return takeResponse(run, result.stream, content, gated);
}

/** The author's `prepareStep`, which gets the steps of the whole turn. Its model and its messages count. */
function prepareStepOf(run: StepRun) {
  const { settings, principal, chatId, journal, onContext, prompts } = run;
  const { prepareStep } = settings;
  if (!prepareStep) return {};
  const steps = stepRecords(journal.turn, settings);
  const own: PrepareStepFunction<ToolSet, Context> = async (options) => {
    const prepared = await prepareStep({ ...options, principal, chatId, steps, stepNumber: steps.length });
    if (prepared) onContext(prepared);
    const { model = settings.model, messages = options.messages } = prepared ?? {};
    return { ...prepared, messages: await prompts.fit(model, messages, run) };
  };
  return { prepareStep: own };
}

async function takeResponse(
  run: StepRun,
  stream: ReadableStream<Part>,
  content: StepContent,
  gated: GatedParts | undefined,
): Promise<Streamed> {
  const { abortSignal } = run;
  const written = createWrittenCalls(run);
  const withWholeCharacters = createWholeCharacters();
  const passed: Part[] = [];
  let hasBegun = false;
  let hasEnded = false;
  // A reader creates a third as many promises per part as the SDK's iterator.
  const parts = stream.getReader();
  try {
    for (let next = await parts.read(); !next.done; next = await parts.read()) {
      const part = withWholeCharacters(next.value);
      if (gated && isCallPart(part)) passed.push(part);
      switch (part.type) {
        case 'start-step':
          hasBegun = true;
          break;
        case 'finish-step':
          hasEnded = true;
          takeFinish(content, part);
          break;
        case 'error':
          return { type: 'broken', hasBegun, error: part.error };
        case 'abort':
          abortSignal.throwIfAborted();
          throw new TimedOut(part.reason);
        default: {
          takeCallPart(content, part);
          const full = written.take(part) ?? stageProse(run, content, part);
          // Waits while the store is slower than the model.
          if (full) await full;
        }
      }
    }
  } finally {
    written.stop();
    // The unread rest is discarded, and an error while discarding it is irrelevant.
    await parts.cancel().catch(() => {});
  }
  abortSignal.throwIfAborted();
  gated?.check(passed);
  if (gated && !hasEnded) throw new Error('`experimental_transform` must pass on the part `finish-step`.');
  written.end(content);
  return { type: 'content', content };
}

/** Resolves with the result, or with nothing once the run is stopped. */
async function unlessAborted<Result>(
  abortSignal: AbortSignal,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  if (abortSignal.aborted) onAbort();
  else abortSignal.addEventListener('abort', onAbort, { once: true });
  const first = await Promise.race([work, aborted]);
  abortSignal.removeEventListener('abort', onAbort);
  return first;
}

/** Stages the content of a part. @returns the append, for callers that must not write faster than the store */
function stageProse(
  { journal, runId, step }: StepRun,
  content: StepContent,
  part: Part,
): Promise<void> | undefined {
  switch (part.type) {
    case 'text-delta':
      if (part.text === '') return undefined;
      content.hasProse = true;
      return journal.stage(runId, deltaOf(content, part.type, `${step}.text.${part.id}`, part.text));
    case 'reasoning-delta':
      if (part.text === '') return undefined;
      return journal.stage(runId, deltaOf(content, part.type, `${step}.reasoning.${part.id}`, part.text));
    case 'source':
    case 'file':
    case 'reasoning-file':
      content.hasProse = true;
      journal.stage(runId, { type: 'source-added', source: sourceOf(part) });
      return undefined;
    default:
      return undefined;
  }
}

/**
 * Approved calls of the provider. The request with the approval is their start, so it is claimed before.
 *
 * @source ADR 0019, T14
 */
function startedByRequest(turn: Turn): EventBody[] {
  return calls(turn)
    .filter((call) => call.requested.executor === 'provider' && call.answered?.approved)
    .filter((call) => !call.started && !call.end)
    .map(({ requested: { toolCallId, input } }) => ({ type: 'tool-started', toolCallId, input }));
}

/** The flow's own instructions come first. A request can only add to them. Anthropic refuses instructions of white space. */
function withInstructions(own: FlowSettings['instructions'], added = '') {
  if (added.trim() === '') return own;
  const ours = own === undefined ? [] : [own].flat().map(toSystemMessage);
  return [...ours, toSystemMessage(added)];
}

function toSystemMessage(content: string | SystemModelMessage): SystemModelMessage {
  return typeof content === 'string' ? { role: 'system', content } : content;
}

function sourceOf(part: Extract<Part, { type: 'source' | 'file' | 'reasoning-file' }>): Source {
  if (part.type !== 'source') {
    const { mediaType, base64 } = part.file;
    return { type: part.type, mediaType, url: `data:${mediaType};base64,${base64}` };
  }
  if (part.sourceType === 'url') {
    return { type: 'source-url', sourceId: part.id, url: part.url, title: part.title };
  }
  const { id, mediaType, title, filename } = part;
  return { type: 'source-document', sourceId: id, mediaType, title, filename };
}
