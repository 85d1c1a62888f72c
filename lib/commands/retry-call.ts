import type { Journal } from '../log/journal.ts';
import type { Call } from '../log/turn/turn.ts';
import { CountersignError, type EventBody, type RunOptions } from '../protocol/index.ts';
import { changeable } from '../rights/permissions.ts';
import type { Engine, TurnEngine } from '../run/engine.ts';
import { madeCallId } from '../run/made-call-id.ts';
import { retryOnConflict } from '../run/retry-on-conflict.ts';
import { runStart } from '../run/run-start.ts';
import { gateAgain } from '../run/step/gate-again.ts';
import type { FlowStream, StreamEnd } from '../views/flow-stream.ts';
import type { Streams } from '../views/streams.ts';
import type { CallRequest } from './requests.ts';

/**
 * Makes a failed call again, as the turn's next step, through the gate as it is now.
 *
 * @returns the turn from here on; `null` without such a call
 * @throws CountersignError `not-found`, `run-active`, `invalid-request`
 * @source D22
 */
export async function retryCall(
  engine: Engine,
  streams: Streams,
  {
    chatId,
    principal,
    toolCallId,
    until,
    unsupportedByClient,
  }: CallRequest & Pick<RunOptions, 'unsupportedByClient'> & { readonly until?: StreamEnd },
): Promise<FlowStream | null> {
  const { settings, store, ids } = engine;
  return retryOnConflict(engine, chatId, async () => {
    const head = await changeable(settings, principal, chatId, await store.chats.head(chatId));
    const journal = await engine.openJournal(head);
    const call = journal.turn.calls.get(toolCallId);
    if (!call) return null;
    if (head.status === 'active' || head.status === 'waiting') {
      throw new CountersignError(
        'run-active',
        `Chat ${chatId} is still answering. Wait for it, or stop it.`,
        { chatId },
      );
    }
    if (call.end?.type !== 'tool-failed' || !call.end.retryable || call.requested.parent !== undefined) {
      throw new CountersignError(
        'invalid-request',
        `Call ${toolCallId} did not fail in a way that may be tried again.`,
        {
          toolCallId,
        },
      );
    }
    const runId = ids.run();
    const emitFrom = journal.nextSeq;
    const ofTurn = await engine.forTurn(journal);
    const start = runStart(journal, principal);
    const options: RunOptions | undefined = unsupportedByClient && {
      ...journal.turn.options,
      unsupportedByClient,
    };
    const again = await anew(ofTurn, journal, call);
    await ofTurn.begin(
      journal,
      { runId, principal, settings: ofTurn.prepared },
      options ? { ...start, options } : start,
      ...again,
    );
    return streams.response(head, principal, { runId, emitFrom, until, upTo: journal.head.seq });
  });
}

/** A step without a model call. It repeats the model's call under another id. */
async function anew(engine: TurnEngine, journal: Journal, { requested }: Call): Promise<EventBody[]> {
  const step = (journal.turn.steps.at(-1)?.step ?? -1) + 1;
  const { toolName, input } = requested;
  const transcript = await engine.transcripts.load(journal.head);
  const toolCallId = madeCallId(transcript.hasCall, engine.chatId, 'retry', requested.toolCallId);
  const { request, end } = await gateAgain(engine, requested, toolCallId, transcript.messages());
  const content = [{ type: 'tool-call' as const, toolCallId, toolName, input }];
  return [
    { type: 'step-started', step },
    {
      type: 'step-finished',
      step,
      messages: [{ role: 'assistant', content }],
      finishReason: 'tool-calls',
      usage: {},
    },
    request,
    ...(end ? [end] : []),
  ];
}
