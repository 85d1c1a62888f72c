import type { Call } from '../../log/turn/turn.ts';
import type { EventBody } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { agentMessages } from '../agent/agent-messages.ts';
import type { CallRun } from '../asking/call-run.ts';
import type { Run, RunTranscript } from '../run.ts';
import type { executeCall } from './execute-call.ts';
import { inputOf, parsedAsStarted } from './input/check-call.ts';
import type { ParsedInput } from './input/schemas.ts';
import type { Execution } from './run-tool.ts';

/** What a started call is executed with. @param parsed for the first attempt; a tool may change it */
export function executionOf(
  callRun: CallRun,
  call: Call,
  transcript: RunTranscript,
  parsed: ParsedInput,
  ask: Execution['ask'],
): Parameters<typeof executeCall>[0] {
  const { settings, clock, chatId, principal, runId, callbacks, watch } = callRun.run;
  const { toolCallId, toolName } = call.requested;
  let first: ParsedInput | undefined = parsed;
  return {
    settings,
    clock,
    call,
    input: inputOf(call),
    async parse() {
      const ready = first ?? (await parsedAsStarted(callRun.run, call));
      first = undefined;
      return ready.value;
    },
    chatId,
    runId,
    callbacks,
    watch,
    principal,
    idempotencyKey: keyOf(callRun.run, call, transcript),
    messages: () => messagesBefore(callRun.run, call) ?? transcript.messages(),
    abortSignal: callRun.abortSignal,
    check: {
      isSure: () => callRun.run.check.isSure(),
      secure: (abortSignal) => callRun.run.check.secure(abortSignal),
    },
    pausedBy: () => callRun.run.pauses.of(toolName),
    write: (written) => callRun.run.write(written, toolCallId),
    keepText: callRun.run.keepText,
    ask,
    report: (body) => report(callRun, body),
    onLate: (late) => callRun.run.onLate(call, late),
  };
}

async function report(callRun: CallRun, body: EventBody): Promise<void> {
  if (body.type === 'tool-progressed') return callRun.run.journal.report(callRun.run.runId, body);
  const { journal, runId } = await callRun.activeRun();
  return journal.commit(runId, body);
}

/** What the subagent's model saw that made the call; `undefined` for a call of the turn's own model. */
function messagesBefore({ journal: { turn } }: Run, { requested: { parent } }: Call) {
  const agent = parent === undefined ? undefined : turn.calls.get(parent);
  return agent && agentMessages(turn, agent);
}

/**
 * The key of a call's effect, for services that take one: `idem_` and 43 characters of `A-Za-z0-9_-`. Unique over all
 * chats, and the same at each attempt: after a retry, a take-over, or from a restored backup.
 *
 * Models choose call ids, and two chats may have the same one. The run id of the chat's first event is
 * random, and differs if an erased chat's id is reused.
 *
 * @source ADR 0019
 */
export function keyOf(
  { chatId, runId }: Run,
  { requested: { toolCallId } }: Call,
  { firstRunId = runId }: RunTranscript,
): string {
  return `idem_${runtime.digest(JSON.stringify([firstRunId, chatId, toolCallId]))}`;
}
