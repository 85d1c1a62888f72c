import { applyToTurn } from '../log/turn/fold-turn.ts';
import { isOwnOutcome } from '../log/turn/response-content.ts';
import { type Call, calls, emptyTurn, ownCalls, rootCall, type Turn } from '../log/turn/turn.ts';
import type { EventBody, EventOf, FlowEvent, Kept, MessageId } from '../protocol/index.ts';
import { toolContent } from '../views/model-messages.ts';
import { importedQuestion, type RepeatedMessage, refuseToForget } from './imported-messages.ts';

type PastTurn = {
  message?: EventOf<'message-received'>;
  readonly cut?: EventOf<'history-cut'>;
  /** An imported message. The turn that begins behind it, if there is one, is its own. */
  readonly imported?: EventOf<'message-imported'>;
  readonly turn: Turn;
};

export type Cut = {
  readonly messageId: MessageId;
  readonly kept?: Kept;
  /** Of `run-started`. */
  readonly carried?: Extract<EventBody, { type: 'run-started' }>['kept'];
  /** The user message to be answered, which is repeated after the kept part. */
  readonly repeats?: RepeatedMessage;
};

/**
 * Plans a cut. Calls that may have had an effect are never removed: the model still sees everything up to the
 * last step that ran one, and the new turn's message shows them.
 *
 * @param messageId the user message that is edited, or the message that is regenerated
 * @param log the chat's events from its first on
 * @param open the chat's last turn, with what is about to be written of it
 * @param isIdempotent whether the effect of a tool may safely happen twice
 * @throws CountersignError `invalid-request` if an imported call that may have had an effect would be cut away
 * @source H7, ADR 0021, ADR 0036
 */
export function planCut(
  messageId: MessageId,
  log: Iterable<FlowEvent>,
  open: Turn,
  isIdempotent: (toolName: string) => boolean,
): Cut {
  const turns = pastTurns(log);
  const index = indexOf(turns, messageId);
  const dropped = turns
    .slice(Math.max(index, 0))
    .map((past, at, all) => (at === all.length - 1 ? { ...past, turn: open } : past));
  if (index !== -1)
    refuseToForget(
      dropped.flatMap(({ imported }) => imported ?? []),
      isIdempotent,
    );
  const kept = dropped.flatMap((past) => keptOf(past, isIdempotent));
  const [first] = dropped;
  if (index === -1 || first === undefined || kept.length === 0) return { messageId };

  const through = Math.max(...kept.map((item) => item.through));
  const toolCallIds = [...new Set(kept.map(({ call }) => call.requested.toolCallId))];
  const stays = { kept: { through, toolCallIds } };
  const shown = kept.flatMap(({ call }) => eventsOf(call));
  const asked = first.message ?? importedQuestion(isOf(first, messageId) ? first : turns[index - 1]);
  const isEdit = asked?.messageId === messageId;
  if (!isEdit && endsWithResults(first.turn, through)) {
    const before = kept.flatMap(({ call }) =>
      isOfStep(first.turn, rootCall(first.turn, call)) ? [] : eventsOf(call),
    );
    const events = [...before, ...stepEvents(first.turn, through)];
    return { messageId, ...stays, carried: { toolCallIds, events } };
  }
  const carried = { toolCallIds, events: shown };
  // If it directly precedes the answer in the prompt, it does not have to be repeated.
  const isBehind = isEdit || through <= (first.cut?.kept?.through ?? 0);
  return isBehind || !asked
    ? { messageId, ...stays, carried }
    : { messageId: asked.messageId, ...stays, carried, repeats: asked };
}

function isOf({ imported, turn }: PastTurn, messageId: MessageId): boolean {
  return imported?.message.role === 'user' && [imported.messageId, turn.messageId].includes(messageId);
}

function indexOf(turns: readonly PastTurn[], messageId: MessageId): number {
  return turns.findIndex(({ message, imported, turn }) =>
    [message?.messageId, imported?.messageId, turn.messageId].includes(messageId),
  );
}

function pastTurns(log: Iterable<FlowEvent>): PastTurn[] {
  const turns: PastTurn[] = [];
  for (const event of log) {
    const last = turns.at(-1);
    if (event.type === 'history-cut') turns.push(cutTurns(turns, event));
    else if (event.type === 'message-imported') turns.push({ imported: event, turn: emptyTurn() });
    else if (event.type === 'message-received') {
      if (last?.cut && last.turn.phase === 'new') last.message = event;
      else turns.push({ message: event, turn: emptyTurn() });
    } else if (event.type === 'outcome-resolved') {
      // It may be of any turn.
      for (const { turn } of turns) applyToTurn(turn, event);
    } else if (last) applyToTurn(last.turn, event);
  }
  return turns;
}

function cutTurns(turns: PastTurn[], cut: EventOf<'history-cut'>): PastTurn {
  const index = indexOf(turns, cut.messageId);
  const at = turns[index];
  if (index !== -1) turns.length = index;
  const { message, imported } = at?.turn.messageId === cut.messageId ? at : {};
  return { cut, turn: emptyTurn(), message, imported: imported || undefined };
}

type KeptCall = { readonly call: Call; readonly through: number };

function keptOf({ turn, cut }: PastTurn, isIdempotent: (toolName: string) => boolean): KeptCall[] {
  return calls(turn).flatMap((call): KeptCall[] => {
    if (call.kept) {
      return call.kept === 'shown' ? [{ call, through: cut?.kept?.through ?? 0 }] : [];
    }
    const { gate, toolName } = call.requested;
    const mayRepeat = gate.type === 'none' && isIdempotent(toolName);
    return hasRun(call) && !mayRepeat ? [{ call, through: lastStepOf(turn, rootCall(turn, call)) }] : [];
  });
}

/** True for a call that ran, or may have. A person's `not-run` may be overridden by the process that ran it. */
function hasRun(call: Call): boolean {
  const { started, end, requested, resolved } = call;
  if (resolved?.outcome === 'not-run' && resolved.source === 'late') return false;
  if (started || isOwnOutcome(call)) return true;
  return requested.executor === 'provider' && (end?.type === 'tool-completed' || end?.type === 'tool-failed');
}

/** `seq` of the step with which the model has seen all of a call. A provider may report it with a later one. */
function lastStepOf({ steps }: Turn, { requested, step, end }: Call): number {
  const finished = steps.flatMap((own) => own.finished ?? []);
  const isLast = (own: EventOf<'step-finished'>) =>
    requested.executor === 'provider' && end ? own.seq < end.seq : own.step === step;
  return finished.findLast(isLast)?.seq ?? 0;
}

/** True if a model can continue from this step: results are the last thing it saw. */
function endsWithResults(turn: Turn, through: number): boolean {
  const last = turn.steps.find(({ finished }) => finished?.seq === through);
  return (
    last !== undefined &&
    ownCalls(turn).some((call) => call.step === last.step && toolContent(call).length > 0)
  );
}

function isOfStep({ steps }: Turn, call: Call): boolean {
  return steps.some(({ step }) => step === call.step);
}

function stepEvents(turn: Turn, through: number): FlowEvent[] {
  return turn.steps.flatMap(({ step, finished }) => {
    if (!finished || finished.seq > through) return [];
    return [
      finished,
      ...calls(turn).flatMap((call) => (rootCall(turn, call).step === step ? eventsOf(call) : [])),
    ];
  });
}

/** The events of a call without its suspension, because it no longer waits for an answer. */
function eventsOf(call: Call): FlowEvent[] {
  const { requested, asked, answered, withdrawn, granted, started, retried, end, resolved, data = [] } = call;
  return [requested, asked, answered, withdrawn, granted, started, retried, ...data, end, resolved].flatMap(
    (event) => event ?? [],
  );
}
