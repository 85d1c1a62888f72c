import {
  type ChatId,
  type Clock,
  type EventBody,
  type Ids,
  type Principal,
  personOf,
  type RunId,
  redact,
} from '../vocabulary/index.ts';
import { closeUnreported } from './close-turn.ts';
import { executeCall, unknownOutcome } from './execute-call.ts';
import { applyGrant } from './grants/apply-grant.ts';
import type { Journal } from './journal.ts';
import { nextAction } from './next-action.ts';
import type { Transcript } from './projections/transcript.ts';
import type { Readers } from './readers.ts';
import { runStep } from './run-step.ts';
import type { RunStops } from './run-stops.ts';
import type { Schemas } from './schemas.ts';
import { stepRecords } from './step-records.ts';
import { describeCall, detailsOf } from './tool-traits.ts';
import type { Transcripts } from './transcripts.ts';
import { type Call, calls, type Turn } from './turn.ts';
import type { FlowSettings } from './types.ts';

const defaultStepLimit = 20;

/** Everything one run needs. */
export type Run = {
  readonly settings: FlowSettings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly chatId: ChatId;
  readonly runId: RunId;
  /** For whom it goes on: who asked for the turn. */
  readonly principal: Principal;
  readonly journal: Journal;
  readonly transcripts: Transcripts;
  readonly readers: Readers;
  readonly schemas: Schemas;
  readonly stops: RunStops;
};

/**
 * Drives a run to its end: a question, a hand-over, or the end of the turn. Every decision is `nextAction`
 * on the log, so this can start in the middle, after a crash, as well as at the beginning.
 *
 * @throws Conflict when somebody else writes this log; the abort reason on stop and close
 */
export async function drive(run: Run): Promise<void> {
  const { journal, runId } = run;
  for (;;) {
    run.stops.stepSignal.throwIfAborted();
    const action = nextAction(journal.turn);
    switch (action.type) {
      case 'settle-interrupted':
        await Promise.all(action.calls.map((call) => settleInterrupted(run, call)));
        break;
      case 'execute':
        await execute(run, action.calls);
        break;
      case 'ask': {
        const due = question(run, action.call);
        if (await applyGrant(run, action.call, due)) break;
        return journal.commit(runId, due, {
          type: 'run-suspended',
          toolCallId: action.call.requested.toolCallId,
        });
      }
      case 'hand-over':
        return journal.commit(runId, {
          type: 'run-suspended',
          toolCallId: action.call.requested.toolCallId,
        });
      case 'step':
        await step(run, action.step);
        break;
      case 'continue':
        if (!(await isStopped(run.settings, journal.turn))) await step(run, action.step);
        else return complete(run, action.finishReason);
        break;
      case 'complete':
        return complete(run, action.finishReason);
      default:
        return action satisfies never;
    }
  }
}

function complete({ journal, runId }: Run, finishReason: string): Promise<void> {
  return journal.commit(runId, ...closeUnreported(journal.turn), { type: 'run-completed', finishReason });
}

async function step(run: Run, number: number): Promise<void> {
  const { settings, schemas, journal, runId, stops } = run;
  const transcript = await transcriptOf(run);
  const outcome = await runStep({
    settings,
    schemas,
    journal,
    runId,
    step: number,
    messages: transcript.messages(),
    abortSignal: stops.stepSignal,
    isUsed: (id) => transcript.hasCall(id),
  });
  journal.stage(runId, ...outcome);
}

/** The chat's transcript, with everything that was decided so far. */
async function transcriptOf({ transcripts, journal, runId }: Run): Promise<Transcript> {
  // Of many who answer at once one wins: only its run goes on to the model, since its start became durable.
  if (journal.head.runId !== runId) await journal.commit(runId);
  const transcript = await transcripts.load(journal.head);
  if (transcript.seq === journal.nextSeq - 1) return transcript;
  await journal.commit(runId);
  return transcripts.load(journal.head);
}

/** The starts are durable before anything runs: that append is the claim. @source DESIGN, "At most once" */
export async function execute(run: Run, ready: readonly Call[]): Promise<void> {
  const { journal, runId } = run;
  const starts = ready.map(
    (call): EventBody => ({
      type: 'tool-started',
      toolCallId: call.requested.toolCallId,
      input: inputOf(call),
    }),
  );
  await journal.commit(runId, ...starts);
  await run.readers.told(run.chatId, journal.head.seq);
  const transcript = await transcriptOf(run);
  let running = ready.length;
  await Promise.all(
    ready.map(async (call) => {
      const end = await executeStarted(run, call, transcript);
      running -= 1;
      // The last end shares the append of what it leads to. The others do not wait for calls that still run.
      if (running === 0) journal.stage(runId, end);
      else await journal.commit(runId, end);
    }),
  );
}

async function executeStarted(run: Run, call: Call, transcript: Transcript): Promise<EventBody> {
  const { settings, clock, chatId, principal, journal, runId, stops } = run;
  return stops.withinCall(call.requested.toolCallId, (abortSignal) =>
    executeCall({
      settings,
      clock,
      call,
      input: inputOf(call),
      chatId,
      principal,
      messages: () => transcript.messages(),
      abortSignal,
      report: (body) => journal.commit(runId, body),
    }),
  );
}

/** What a person edited is what runs. */
function inputOf({ requested, answered, started }: Call) {
  return started?.input ?? answered?.input ?? requested.input;
}

/** Started by an owner who is gone. Only an idempotent tool may run again, under the same call id. */
async function settleInterrupted(run: Run, call: Call): Promise<void> {
  const { executor, toolName } = call.requested;
  const runsAgain = executor !== 'provider' && detailsOf(run.settings, toolName).idempotent;
  const end = runsAgain
    ? await executeStarted(run, call, await transcriptOf(run))
    : unknownOutcome(call, 'the server went away while it ran.');
  await run.journal.commit(run.runId, end);
}

function question(run: Run, call: Call): Extract<EventBody, { type: 'approval-requested' }> {
  const { settings, ids, journal } = run;
  const { toolCallId, toolName, input, secrets } = call.requested;
  const { risk, deadlineMs = settings.deadlineMs } = detailsOf(settings, toolName);
  const gated = calls(journal.turn).filter(
    (other) => other.step === call.step && other.requested.gate.type === 'ask',
  );
  return {
    type: 'approval-requested',
    approvalId: ids.approval(),
    toolCallId,
    description: describeCall(settings, toolName, redact(input, secrets?.input)),
    ...(risk === undefined ? {} : { risk }),
    position: { index: gated.indexOf(call) + 1, of: gated.length },
    ...(deadlineMs === undefined ? {} : { deadline: run.clock.now() + deadlineMs }),
    askedBy: personOf(run.principal),
  };
}

async function isStopped({ stopWhen }: FlowSettings, turn: Turn): Promise<boolean> {
  const steps = stepRecords(turn);
  if (stopWhen === undefined) return steps.length >= defaultStepLimit;
  const conditions = Array.isArray(stopWhen) ? stopWhen : [stopWhen];
  const results = await Promise.all(conditions.map((condition) => condition({ steps })));
  return results.some(Boolean);
}
