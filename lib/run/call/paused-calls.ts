import type { Call } from '../../log/turn/turn.ts';
import { CountersignError, type EventBody, type Pause, type Question } from '../../protocol/index.ts';
import type { Run } from '../run.ts';
import { failed } from '../step/call-end.ts';

/** The end of a call that was about to start while its tool is paused. A person may retry it afterwards. */
export function pausedEnd(call: Call, { reason }: Pause): EventBody {
  const { toolCallId, toolName, parent } = call.requested;
  const error = `Not run: ${toolName} is paused. ${reason}`;
  const end = failed(toolCallId, `${error} Do not call it again unless the user asks.`, error);
  // Only the subagent could repeat its call.
  return { ...end, retryable: parent === undefined };
}

/** Ends the calls that must not start because their tool is paused. @returns true when there were any */
export async function endPaused({ journal, runId, pauses }: Run, due: readonly Call[]): Promise<boolean> {
  const loading = pauses.ready();
  if (loading) await loading;
  const ends = due.flatMap((call) => {
    const pause = pauses.of(call.requested.toolName);
    return pause ? [pausedEnd(call, pause)] : [];
  });
  journal.stage(runId, ...ends);
  return ends.length > 0;
}

/** Why a call has an unknown outcome if it was tried before, and would run again if its tool were not paused. */
export const pausedBeforeRerun = 'an attempt did not finish, and the tool is paused now.';

/** The refusal of an approval while the tool is paused. Denials are accepted. */
export function refusedByPause({ id, toolName }: Pick<Question, 'id' | 'toolName'>, { reason }: Pause) {
  return new CountersignError(
    'paused',
    `${toolName} is paused: ${reason} The question stays open; approve it later, or deny it.`,
    { approvalId: id, reason },
  );
}
