import { isTransient, withBackoff } from '../../log/backoff.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { Run } from '../run.ts';
import { checkCall, isStillApproved } from './input/check-call.ts';
import type { ParsedInput } from './input/schemas.ts';
import { replaceCall } from './replace-call.ts';

export type CheckedCall = { readonly call: Call; readonly parsed: ParsedInput };

/** The calls that may start as they were approved. Approvals that may have expired during parsing are checked again. */
export async function checkReady(run: Run, ready: readonly Call[]): Promise<readonly CheckedCall[]> {
  let starting = await checkOnce(run, ready);
  while (!areInTime(run, starting)) {
    starting = await checkOnce(
      run,
      starting.map(({ call }) => call),
    );
  }
  return starting;
}

/** Whether the approvals of these calls are certainly valid now. Synchronous: their start is recorded in the same block. */
export function areInTime(run: Run, starting: readonly CheckedCall[]): boolean {
  const now = run.clock.known();
  return starting.every(({ call }) => isStillApproved(run, call, now));
}

async function checkOnce(run: Run, ready: readonly Call[]): Promise<readonly CheckedCall[]> {
  const { journal, runId } = run;
  // An approval may have expired, so nothing starts while the time is unknown.
  const now = run.clock.known() ?? (await timeOf(run));
  const checks = await Promise.all(
    ready.map(async (call) => ({ call, check: await checkCall(run, call, now) })),
  );
  const starting: CheckedCall[] = [];
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
