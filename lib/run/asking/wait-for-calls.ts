import { Stopped } from '../../log/conflict.ts';
import {
  type ApprovalId,
  type EventBody,
  errorFacts,
  personOf,
  strikeOut,
  type ToolCallId,
} from '../../protocol/index.ts';
import { askedByPlugins } from '../../settings/plugin/asked-by-plugins.ts';
import { detailsOf, questionOfCall } from '../../settings/tools/tool-details.ts';
import { lacks, whyNotAsked } from '../call/limited-client.ts';
import { madeCallId } from '../made-call-id.ts';
import type { Run } from '../run.ts';
import { defaultsOf, fieldErrorOf } from './form.ts';
import type { PendingQuestion } from './pending-question.ts';
import type { WaitingCall } from './waiting-calls.ts';

/**
 * Waits until each call has ended or asks. The first that asks, in call order, suspends the run.
 *
 * @returns true if suspended
 * @throws Conflict
 * @source ADR 0037
 */
export async function waitForCalls(run: Run, calls: readonly WaitingCall<Run>[]): Promise<boolean> {
  const open = new Set(calls);
  try {
    while (open.size > 0) {
      await allAtRest(run, open);
      const [first] = open;
      if (first && (await isDeclined(run, first))) continue;
      // A call that asked may have continued by now.
      const isQuiet = [...open].every(({ question }) => question !== undefined);
      if (first && isQuiet && (await isAsked(run, first, [...open]))) return true;
    }
    return false;
  } catch (error) {
    giveUp([...open]);
    throw error;
  }
}

/** These calls are no longer awaited. The outcomes of those that ask are reported late. */
export function giveUp(calls: readonly WaitingCall<Run>[]): void {
  for (const one of calls) {
    if (one.question) void one.abandon();
    one.cancel();
  }
}

/** The last end is appended with the next action. Earlier ends do not wait for running calls. */
async function allAtRest({ journal, runId }: Run, open: Set<WaitingCall<Run>>): Promise<void> {
  let atWork = open.size;
  await Promise.all(
    [...open].map(async (one) => {
      const end = await one.untilEndOrQuestion();
      atWork -= 1;
      if (!end) return;
      open.delete(one);
      if (atWork === 0) journal.stage(runId, end);
      else await journal.commit(runId, end);
    }),
  );
}

/** Declines a question if the client of the turn cannot show it. @returns true if the state of the call has changed */
async function isDeclined(run: Run, asking: WaitingCall<Run>): Promise<boolean> {
  const { question } = asking;
  if (!question || !lacks(run.journal.turn, 'approvals')) return false;
  const due = questionOf(run, asking, question);
  const reason = due && (await whyNotAsked(run, asking.call, due));
  if (reason !== undefined) asking.settle(question, { action: 'decline', reason });
  return asking.question !== question;
}

/** @returns false if no one can be asked: the question was declined, or the run ends, which cancels all questions */
async function isAsked(
  run: Run,
  asking: WaitingCall<Run>,
  open: readonly WaitingCall<Run>[],
): Promise<boolean> {
  const { journal, runId, stops, waiting } = run;
  const { question } = asking;
  if (question && !stops.stepSignal.aborted) {
    const due = questionOf(run, asking, question);
    if (!due) return false;
    const { approvalId, events } = due;
    // This precedes the point at which the question can be answered, and at which a stop ends its run.
    for (const one of open) one.leave();
    waiting.put(run, { calls: open, asking, question, approvalId });
    try {
      await journal.commit(runId, ...events);
      waiting.watch(run.chatId);
      return true;
    } catch (error) {
      waiting.remove(run.chatId);
      if (!Stopped.is(error)) throw error;
      stops.stop();
      for (const one of open) one.moveTo(run);
    }
  }
  for (const one of open) one.cancel();
  return false;
}

/** The question of a call. If a plugin refuses it, the call learns that no one is asked, and continues. */
function questionOf(
  run: Run,
  asking: WaitingCall<Run>,
  question: PendingQuestion,
): ReturnType<typeof newQuestion> | undefined {
  try {
    return newQuestion(run, asking, question);
  } catch (error) {
    const { chatId, runId, logger } = run;
    const { toolCallId } = asking.call.requested;
    logger.error('A running call could not ask.', { chatId, runId, toolCallId, error: errorFacts(error) });
    asking.settle(question, { action: 'decline', reason: 'The question could not be asked.' });
    return undefined;
  }
}

function newQuestion(
  { ids, settings, clock, thisProcess, asker, chatId, journal }: Run,
  { call, toolCallId: parent }: WaitingCall<Run>,
  { message, form }: PendingQuestion,
): { readonly approvalId: ApprovalId; readonly events: readonly EventBody[] } {
  const approvalId = ids.approval();
  const toolCallId = madeCallId((id) => journal.turn.calls.has(id as ToolCallId), chatId, approvalId);
  const { requested, started } = call;
  const { input, secrets } = requested;
  const said = strikeOut(message, started?.input ?? input, secrets?.input);
  const { deadlineMs = settings.deadlineMs } = detailsOf(settings, requested.toolName);
  const toolName = `${requested.toolName}${questionOfCall}`;
  const now = clock.now();
  const deadline = deadlineMs === undefined ? undefined : now + deadlineMs;
  const begun = defaultsOf(form);
  const asked: EventBody = {
    type: 'approval-requested',
    approvalId,
    toolCallId,
    description: said,
    position: { index: 1, of: 1 },
    ...askedByPlugins({
      ...{ settings, turn: journal.turn, call, toolName, now, deadline, mayAskAgain: false },
    }),
    askedBy: personOf(asker),
    waitsIn: thisProcess,
    needsInput: fieldErrorOf(form, begun) ? true : undefined,
  };
  return {
    approvalId,
    events: [
      {
        type: 'tool-requested',
        toolCallId,
        toolName,
        title: `${requested.title ?? requested.toolName} → ask`,
        input: begun,
        parent,
        form,
        executor: 'server',
        kind: requested.kind,
        gate: { type: 'ask' },
        dynamic: true,
        description: said,
      },
      asked,
      { type: 'run-suspended', toolCallId },
    ],
  };
}
