import { isTransient, withBackoff } from '../../log/backoff.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { Run } from '../run.ts';
import { checkCall } from './input/check-call.ts';
import type { ParsedInput } from './input/schemas.ts';
import { replaceCall } from './replace-call.ts';

/** Returns the calls that may start as they were approved. The others end, or are asked about again. */
export async function checkReady(
  run: Run,
  ready: readonly Call[],
): Promise<{ readonly call: Call; readonly parsed: ParsedInput }[]> {
  const { journal, runId } = run;
  // An approval may have expired, so nothing starts while the time is unknown.
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
