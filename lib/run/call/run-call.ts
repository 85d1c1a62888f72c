import type { Call } from '../../log/turn/turn.ts';
import type { EventBody } from '../../protocol/index.ts';
import { agentMessages } from '../agent/agent-messages.ts';
import type { Run, RunTranscript } from '../run.ts';
import { inputOf, parsedAsStarted } from './check-call.ts';
import { executeCall } from './execute-call.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { ParsedInput } from './schemas.ts';

/**
 * Executes a call of a run whose start is durable.
 *
 * @param parsed the arguments for the first attempt. A tool may change them, so they are parsed again for a second one
 * @throws Conflict when the run belongs to another instance
 */
export async function executeStarted(
  run: Run,
  call: Call,
  transcript: RunTranscript,
  parsed: ParsedInput,
): Promise<EventBody> {
  const { settings, clock, chatId, principal, journal, runId, stops, check, callbacks, spans } = run;
  const { toolCallId } = call.requested;
  let first: ParsedInput | undefined = parsed;
  const { abortSignal, end } = stops.beginCall(toolCallId);
  try {
    return await executeCall({
      settings,
      clock,
      call,
      input: inputOf(call),
      async parse() {
        const ready = first ?? (await parsedAsStarted(run, call));
        first = undefined;
        return ready.value;
      },
      chatId,
      runId,
      callbacks,
      spans,
      principal,
      idempotencyKey: keyOf(run, call, transcript),
      messages: () => messagesBefore(run, call) ?? transcript.messages(),
      abortSignal,
      check,
      pausedBy: () => run.pauses.of(call.requested.toolName),
      write: (written) => run.write(written, toolCallId),
      report: (body) =>
        body.type === 'tool-progressed' ? journal.report(runId, body) : journal.commit(runId, body),
      onLate: (late) => run.onLate(call, late),
    });
  } finally {
    end();
  }
}

/** What the subagent's model saw that made the call; `undefined` for a call of the turn's own model. */
function messagesBefore({ journal: { turn } }: Run, { requested: { parent } }: Call) {
  const agent = parent === undefined ? undefined : turn.calls.get(parent);
  return agent && agentMessages(turn, agent);
}

/** The idempotency key of a call of this run. */
export function keyOf({ chatId, runId }: Run, { requested }: Call, { firstRunId }: RunTranscript): string {
  return idempotencyKeyOf(firstRunId ?? runId, chatId, requested.toolCallId);
}
