import { isTransient, withBackoff } from '../log/backoff.ts';
import type { Auditor } from '../log/seal/auditor.ts';
import type { Call } from '../log/turn/turn.ts';
import { type CompletionReason, type EventBody, personOf, type ToolCallId } from '../protocol/index.ts';
import { checkCall, inputOf, runsAsApproved } from './call/check-call.ts';
import { inTurn } from './call/in-turn.ts';
import { pausedEnd } from './call/paused-calls.ts';
import { replaceCall } from './call/replace-call.ts';
import { executeStarted } from './call/run-call.ts';
import type { ParsedInput } from './call/schemas.ts';
import { areVouchedFor, unprovenCalls } from './call/unproven-calls.ts';
import { closeUnreported } from './close-turn.ts';
import { nextAction } from './next-action.ts';
import { settleInterrupted } from './outcomes/settle-interrupted.ts';
import { applyGrant } from './question/apply-grant.ts';
import { questionDue } from './question/question-due.ts';
import { findRepeat } from './question/repeats.ts';
import type { Run, RunTranscript } from './run.ts';
import { runStep } from './step/run-step.ts';
import { stepRecords } from './step/step-records.ts';
import { finishPart, turnMetadata } from './step/turn-metadata.ts';

const defaultStepLimit = 20;

/**
 * Drives a run to its end: a question, a hand-over, or the end of the turn. Every decision is `nextAction`
 * on the log, so this can start in the middle, after a crash, as well as at the beginning.
 *
 * @throws Conflict if another instance writes this log; the abort reason on stop and close
 */
export async function drive(run: Run): Promise<void> {
  const { journal, runId } = run;
  run.pauses.prepare();
  for (;;) {
    run.stops.stepSignal.throwIfAborted();
    if (run.auditor && mayBeUnproven(run, run.auditor) && (await endUnproven(run, run.auditor))) continue;
    const action = nextAction(journal.turn);
    switch (action.type) {
      case 'settle-interrupted':
        await settleInterrupted(run, action.calls, await transcriptOf(run));
        break;
      case 'execute':
        if (run.pauses.mayHold() && (await endPaused(run, action.calls))) break;
        await execute(run, action.calls);
        break;
      case 'ask': {
        const due = await questionDue(run, journal.turn, action.call, personOf(run.asker));
        if (due.type === 'tool-failed') {
          journal.stage(runId, due);
          break;
        }
        const [isGranted, repeatOf] = await Promise.all([
          applyGrant(run, action.call, due),
          findRepeat(run, action.call),
        ]);
        if (isGranted) break;
        return journal.commit(
          runId,
          { ...due, ...(repeatOf && { repeatOf }) },
          { type: 'run-suspended', toolCallId: action.call.requested.toolCallId },
        );
      }
      case 'hand-over':
        if (run.pauses.mayHold() && (await endPaused(run, [action.call]))) break;
        return journal.commit(runId, {
          type: 'run-suspended',
          toolCallId: action.call.requested.toolCallId,
        });
      case 'step':
        await step(run, action.step);
        break;
      case 'continue':
        if (!(await isStopped(run))) await step(run, action.step);
        else return complete(run, { ...action, why: 'stop-condition' });
        break;
      case 'complete':
        return complete(run, action);
      default:
        return action satisfies never;
    }
  }
}

/** False if this process made or checked everything that clears a call. Then nothing is awaited. */
function mayBeUnproven({ settings, journal }: Run, auditor: Auditor): boolean {
  return !areVouchedFor({ auditor, settings }, journal.turn);
}

/** Ends the calls whose approval the sealed record does not prove. @returns true when there were any */
async function endUnproven({ settings, journal, runId, logger }: Run, auditor: Auditor): Promise<boolean> {
  const { turn, head } = journal;
  const unproven = await unprovenCalls({ auditor, settings, store: settings.store }, head.id, turn);
  for (const { call, why, end } of unproven) {
    const { toolCallId, toolName } = call.requested;
    const facts = { chatId: head.id, toolCallId, toolName, why };
    logger.error('A call was not run: its approval is not in the sealed record.', facts);
    journal.stage(runId, end);
  }
  return unproven.length > 0;
}

/** Ends the calls that must not start since their tool is paused. @returns true when there were any */
async function endPaused({ journal, runId, pauses }: Run, due: readonly Call[]): Promise<boolean> {
  const loading = pauses.ready();
  if (loading) await loading;
  const ends = due.flatMap((call) => {
    const pause = pauses.of(call.requested.toolName);
    return pause ? [pausedEnd(call, pause)] : [];
  });
  journal.stage(runId, ...ends);
  return ends.length > 0;
}

/**
 * Executes the cleared calls of a turn that is about to end, after the same checks as in `drive`. The caller closes the
 * rest.
 *
 * @throws Conflict
 */
export async function executeCleared(run: Run): Promise<void> {
  const { journal, auditor, pauses } = run;
  pauses.prepare();
  for (;;) {
    if (auditor && mayBeUnproven(run, auditor)) await endUnproven(run, auditor);
    const action = nextAction(journal.turn);
    if (action.type !== 'execute') return;
    if (pauses.mayHold() && (await endPaused(run, action.calls))) continue;
    return execute(run, action.calls);
  }
}

function complete(
  run: Run,
  { finishReason, why }: { finishReason: string; why: CompletionReason },
): Promise<void> {
  const { journal, runId } = run;
  const metadata = turnMetadata(run, finishPart(journal.turn, finishReason));
  const end: EventBody = { type: 'run-completed', finishReason, why, ...metadata };
  return journal.commit(runId, ...closeUnreported(journal.turn), end);
}

async function step(run: Run, number: number): Promise<void> {
  const { settings, schemas, journal, clock, chatId, runId, principal, stops, limits, callbacks, spans } =
    run;
  limits.beginStep();
  const transcript = await transcriptOf(run);
  const outcome = await runStep({
    settings,
    schemas,
    principal,
    callbacks,
    spans,
    journal,
    clock,
    chatId,
    runId,
    step: number,
    messages: transcript.messages(),
    abortSignal: stops.stepSignal,
    isUsed: transcript.hasCall,
    onContext({ runtimeContext = settings.runtimeContext, toolsContext = settings.toolsContext }) {
      run.settings = { ...settings, runtimeContext, toolsContext };
    },
  });
  journal.stage(runId, ...outcome);
}

/** The chat's transcript, with everything that was decided so far. */
async function transcriptOf({ transcripts, journal, runId }: Run): Promise<RunTranscript> {
  // If several answers arrive together, one wins. Only its run calls the model, because its start is durable.
  if (journal.head.runId !== runId) await journal.commit(runId);
  let transcript = await transcripts.load(journal.head);
  // An append of this run may have become durable while the log was read.
  while (transcript.seq < journal.head.seq) transcript = await transcripts.load(journal.head);
  return {
    messages: () => transcript.messages(journal.pending),
    firstRunId: transcript.firstRunId,
    hasCall: (id) => transcript.hasCall(id) || journal.turn.calls.has(id as ToolCallId),
  };
}

/** The starts are durable before anything runs: that append is the claim. @source ADR 0019 */
async function execute(run: Run, ready: readonly Call[]): Promise<void> {
  const { journal, runId, settings, stops } = run;
  const { toolCallConcurrency: limit = ready.length } = settings;
  if (limit < ready.length) {
    // Each start is durable only right before its call runs, so none is unknown after a crash because it waited.
    return inTurn(
      ready,
      limit,
      () => !stops.stepSignal.aborted,
      (call) => execute(run, [call]),
    );
  }
  const kept = ready.flatMap((call) => {
    const parsed = run.schemas.take(call);
    return parsed && runsAsApproved(call, parsed) ? [{ call, parsed }] : [];
  });
  const checked = kept.length === ready.length ? kept : await checkReady(run, ready);
  if (checked.length === 0) return;
  const starts = checked.map(
    ({ call, parsed: { runsAs } }): EventBody => ({
      type: 'tool-started',
      toolCallId: call.requested.toolCallId,
      input: inputOf(call),
      ...(runsAs === undefined ? {} : { runsAs }),
    }),
  );
  await journal.commit(runId, ...starts);
  await run.readers.delivered(run.chatId, journal.head.seq);
  const transcript = await transcriptOf(run);
  let running = checked.length;
  await Promise.all(
    checked.map(async ({ call, parsed }) => {
      const end = await executeStarted(run, call, transcript, parsed);
      running -= 1;
      // The last end is appended with what follows from it. The others do not wait for calls that still run.
      if (running === 0) journal.stage(runId, end);
      else await journal.commit(runId, end);
    }),
  );
}

/** Returns the calls that may start as they were approved. The others end, or are asked about again. */
async function checkReady(
  run: Run,
  ready: readonly Call[],
): Promise<{ readonly call: Call; readonly parsed: ParsedInput }[]> {
  const { journal, runId } = run;
  // An approval may have lapsed, so nothing starts while the time is unknown.
  const now = run.clock.known() ?? (await timeOf(run));
  const checks = await Promise.all(
    ready.map(async (call) => ({ call, check: await checkCall(run, call, now) })),
  );
  const starting: { call: Call; parsed: ParsedInput }[] = [];
  for (const { call, check } of checks) {
    if (check.type === 'starts') starting.push({ call, parsed: check.parsed });
    else if (check.type === 'does-not-fit') journal.stage(runId, check.end);
    else journal.stage(runId, ...(await replaceCall(run, call, check.why)));
  }
  return starting;
}

/** The store's time. Retries until the store answers or the run ends here. */
function timeOf({ clock, stops }: Run): Promise<number> {
  return withBackoff(
    clock,
    () => clock.sure(),
    (error) => isTransient(error) && !stops.stepSignal.aborted,
  );
}

async function isStopped({ settings, journal: { turn }, principal, chatId }: Run): Promise<boolean> {
  const { stopWhen } = settings;
  // Another answer needs at least one step. Steps before the cut were counted when they ran.
  const steps = stepRecords(turn, settings).slice(turn.keptSteps);
  if (stopWhen === undefined) return steps.length >= defaultStepLimit;
  const conditions = Array.isArray(stopWhen) ? stopWhen : [stopWhen];
  const results = await Promise.all(conditions.map((condition) => condition({ steps, principal, chatId })));
  return results.some(Boolean);
}
