import type { Call } from '../../log/turn/turn.ts';
import type { EventBody } from '../../protocol/index.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import { createRunningCall } from '../asking/running-call.ts';
import { failed, unknownOutcome } from '../call/execute-call.ts';
import { inputOf, parsedAsStarted } from '../call/input/check-call.ts';
import { pausedBeforeRerun } from '../call/paused-calls.ts';
import { completed } from '../call/result/completed.ts';
import { isOutdated } from '../question/outdated.ts';
import type { Run, RunTranscript } from '../run.ts';
import { lookUp } from './look-up.ts';

/**
 * Ends calls whose owner is gone: by `lookup`, by running an idempotent one again, or as unknown.
 *
 * @throws Conflict
 * @source ADR 0019
 */
export async function endInterrupted(
  run: Run,
  calls: readonly Call[],
  transcript: RunTranscript,
): Promise<void> {
  const { journal, runId } = run;
  await Promise.all(calls.map(async (call) => journal.commit(runId, await endOf(run, call, transcript))));
}

async function endOf(run: Run, call: Call, transcript: RunTranscript): Promise<EventBody> {
  const { settings, journal, runId } = run;
  const { executor, toolName, toolCallId } = call.requested;
  const gone = 'the server went away while it ran.';
  if (executor === 'provider') return unknownOutcome(call, gone);
  const { idempotent = false, retryable = true } = detailsOf(settings, toolName);
  const execution = { settings, call, input: inputOf(call) };
  const wasRetried = call.retried !== undefined;
  // The schema parses the arguments differently now, so a new attempt would not run the same call.
  const parsed = await parsedAsStarted(run, call).catch(() => undefined);
  const input = parsed?.value ?? execution.input;
  const found = await lookUp(run, call, transcript, input);
  if (found?.outcome === 'completed') {
    return completed(execution, { output: found.output, parsed: input }, undefined);
  }
  if (found?.outcome === 'failed') {
    return failed(execution, new Error(found.error), { wasRetried, retryable: false });
  }
  await run.pauses.ready();
  const isPaused = run.pauses.of(toolName) !== undefined;
  if (idempotent && isPaused && found?.outcome !== 'not-run') return unknownOutcome(call, pausedBeforeRerun);
  const isChanged = await isOutdated(run, call);
  if (idempotent && isChanged && found?.outcome !== 'not-run') {
    return unknownOutcome(call, `${gone} The tool has changed since, so it was not run again.`);
  }
  if (idempotent && !parsed) {
    return unknownOutcome(call, `${gone} Its arguments come out otherwise now, so it was not run again.`);
  }
  if (idempotent && parsed && !isChanged && !isPaused) {
    // A new attempt, under the new owner's lease: its place in the log is its fencing token.
    await journal.commit(runId, {
      type: 'tool-retrying',
      toolCallId,
      error: `Not finished: ${gone}`,
      delayMs: 0,
    });
    // Its first attempt may have asked already, so the new one cannot ask.
    const { untilEndOrQuestion } = createRunningCall(run, { call, transcript, parsed, mayAsk: false });
    return (await untilEndOrQuestion()) ?? unknownOutcome(call, gone);
  }
  if (found?.outcome === 'not-run') {
    return failed(execution, new Error('It did not run: the server went away first.'), {
      wasRetried,
      retryable,
    });
  }
  return unknownOutcome(call, gone);
}
