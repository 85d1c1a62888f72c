import type { Auditor } from '../log/seal/auditor.ts';
import type { Call } from '../log/turn/turn.ts';
import { type CompletionReason, type EventBody, personOf } from '../protocol/index.ts';
import { continueAgents } from './agent/continue-agents.ts';
import { createRunningCall, type RunningCall } from './asking/running-call.ts';
import { takeBack } from './asking/take-back.ts';
import { giveUp, waitForCalls } from './asking/wait-for-calls.ts';
import { areInTime, checkReady } from './call/check-ready.ts';
import { inputOf, runsAsApproved } from './call/input/check-call.ts';
import { lacks, notAsked, notHandedOver, whyNotAsked } from './call/limited-client.ts';
import { endPaused } from './call/paused-calls.ts';
import { runLimited } from './call/run-limited.ts';
import { areVouchedFor, unprovenCalls } from './call/unproven-calls.ts';
import { closeUnreported } from './close-turn.ts';
import { ensureOwner } from './lease/ensure-owner.ts';
import { nextAction } from './next-action.ts';
import { endInterrupted } from './outcomes/end-interrupted.ts';
import { makePreview } from './preview/make-preview.ts';
import { applyStanding } from './question/apply-standing.ts';
import { questionDue } from './question/question-due.ts';
import { findRepeat } from './question/repeats.ts';
import type { Run } from './run.ts';
import { transcriptOf } from './run-transcript.ts';
import { runStep } from './step/run-step.ts';
import { finishPart, turnMetadata } from './step/turn-metadata.ts';
import { stopReason } from './stops/stop-condition.ts';

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
      case 'end-interrupted': {
        const { here, gone } = await takeBack(run, action.calls);
        if (gone.length > 0) await endInterrupted(run, gone, await transcriptOf(run));
        if (await waitForCalls(run, here)) return;
        break;
      }
      case 'execute':
        if (run.pauses.mayPause() && (await endPaused(run, action.calls))) break;
        if (await execute(run, action.calls)) return;
        break;
      case 'agents':
        await continueAgents(run, action.agents);
        break;
      case 'ask': {
        const due = await questionDue(run, journal.turn, action.call, personOf(run.asker));
        if (due.type === 'tool-failed') {
          journal.stage(runId, due);
          break;
        }
        const finding = findRepeat(run, action.call);
        const [isGranted, repeatOf] = await Promise.all([
          applyStanding(run, { call: action.call, due, repeatOf: () => finding }),
          finding,
        ]);
        if (isGranted) break;
        const why = await whyNotAsked(run, action.call, { approvalId: due.approvalId, events: [due] });
        if (why !== undefined) {
          journal.stage(runId, notAsked(action.call, why));
          break;
        }
        const preview = await makePreview(run, action.call);
        return journal.commit(
          runId,
          { ...due, repeatOf, preview },
          { type: 'run-suspended', toolCallId: action.call.requested.toolCallId },
        );
      }
      case 'hand-over': {
        if (run.pauses.mayPause() && (await endPaused(run, [action.call]))) break;
        if (lacks(journal.turn, 'tools')) {
          journal.stage(runId, notHandedOver(action.call));
          break;
        }
        return journal.commit(runId, { type: 'run-suspended', toolCallId: action.call.requested.toolCallId });
      }
      case 'step':
        await step(run, action.step);
        break;
      case 'continue': {
        const why = await stopReason(run, journal.turn);
        if (why) return complete(run, { ...action, why });
        await step(run, action.step);
        break;
      }
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

/** Executes the cleared calls of a turn that is about to end, after the checks of `drive`. @throws Conflict */
export async function executeCleared(run: Run): Promise<void> {
  const { journal, auditor, pauses } = run;
  pauses.prepare();
  for (;;) {
    if (auditor && mayBeUnproven(run, auditor)) await endUnproven(run, auditor);
    const action = nextAction(journal.turn);
    if (action.type !== 'execute') return;
    if (pauses.mayPause() && (await endPaused(run, action.calls))) continue;
    // The turn is about to end, so no person can be asked.
    await execute(run, action.calls, false);
    return;
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
  const { settings, schemas, prompts, journal, clock, chatId, runId, principal } = run;
  const { stops, limits, callbacks, watch } = run;
  limits.beginStep();
  const transcript = await transcriptOf(run);
  const outcome = await runStep({
    settings,
    schemas,
    prompts,
    principal,
    callbacks,
    watch,
    journal,
    clock,
    chatId,
    runId,
    step: number,
    messages: transcript.messages(),
    abortSignal: stops.stepSignal,
    isUsed: transcript.hasCall,
    ensureOwner: () => ensureOwner(run),
    onContext({ runtimeContext = settings.runtimeContext, toolsContext = settings.toolsContext }) {
      run.settings = { ...settings, runtimeContext, toolsContext };
    },
  });
  journal.stage(runId, ...outcome);
}

/**
 * The starts are durable before anything runs: they are the claim.
 *
 * @returns true if a call asks, which suspends the run
 * @source ADR 0019, ADR 0037
 */
async function execute(run: Run, ready: readonly Call[], mayAsk = true): Promise<boolean> {
  const { settings, stops } = run;
  const { toolCallConcurrency: limit = ready.length } = settings;
  if (limit >= ready.length) return waitForCalls(run, await startCalls(run, ready, mayAsk));
  // Each start becomes durable right before its call runs, so waiting calls do not have an unknown outcome
  // after a crash.
  const begun: RunningCall[] = [];
  const mayBegin = () => !stops.stepSignal.aborted && begun.every(({ question }) => question === undefined);
  const task = async (call: Call) => {
    const [one] = await startCalls(run, [call], mayAsk);
    if (!one) return;
    begun.push(one);
    const end = await one.untilEndOrQuestion();
    if (end) run.journal.stage(run.runId, end);
  };
  await runLimited(ready, limit, mayBegin, task).catch((error: unknown) => {
    giveUp(begun);
    throw error;
  });
  return waitForCalls(
    run,
    begun.filter(({ hasEnded }) => !hasEnded),
  );
}

/** Starts these calls, in one append. Calls that may no longer start are ended instead. */
async function startCalls(
  run: Run,
  ready: readonly Call[],
  mayAsk: boolean,
): Promise<readonly RunningCall[]> {
  const { journal, runId } = run;
  const kept = ready.flatMap((call) => {
    const parsed = run.schemas.take(call);
    return parsed && runsAsApproved(call, parsed) ? [{ call, parsed }] : [];
  });
  const isChecked = kept.length === ready.length && areInTime(run, kept);
  const checked = isChecked ? kept : await checkReady(run, ready);
  if (checked.length === 0) return [];
  const starts = checked.map(
    ({ call, parsed: { runsAs } }): EventBody => ({
      type: 'tool-started',
      toolCallId: call.requested.toolCallId,
      input: inputOf(call),
      runsAs,
    }),
  );
  await journal.commit(runId, ...starts);
  await run.readers.delivered(run.chatId, journal.head.seq);
  const transcript = await transcriptOf(run);
  const begun: RunningCall[] = [];
  for (const each of checked) begun.push(createRunningCall(run, { ...each, transcript, mayAsk }));
  return begun;
}
