import type { UIMessageChunk } from 'ai';
import { questionOf } from '../../log/turn/question.ts';
import { isOwnOutcome } from '../../log/turn/response-content.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { EventOf, ToolCallId } from '../../protocol/index.ts';
import type { StreamView } from '../flow-stream.ts';
import type { TurnItem } from '../reader/read-turn.ts';
import { askChunk, type Place, settledChunk, showCall } from './call-chunks.ts';
import { type ChunkWriter, createChunkWriter } from './chunk-writer.ts';
import { outcomeChunks } from './outcome-chunks.ts';

/** What a projection writes one response with: its chunks, and the parts of its calls. @see createCallWriter */
export function createChunkWriters(view: StreamView, placeOf?: (call: Call) => Place) {
  const writer = createChunkWriter();
  return { writer, callWriter: createCallWriter(writer, view, placeOf) };
}

/** Writes calls, outcomes and questions. @param placeOf where a call belongs, unless sent in order */
function createCallWriter(
  writer: ChunkWriter,
  view: StreamView,
  placeOf: (call: Call) => Place = () => ({}),
) {
  const parts = createCallParts(writer, placeOf);
  const { show, showOutcome } = parts;
  /** An approved client call. Its approval is kept back until it is known whether its output came with it (T2). */
  let deferred: Call | undefined;

  function ask(call: Call): void {
    const question = questionOf(call, view.chat);
    if (!question) return;
    show(call);
    writer.write(askChunk(call, question, view.rights(question)));
  }

  function showAnswer(
    { approved, asOutput }: EventOf<'approval-answered'>,
    call: Call,
    isSuspended: boolean,
  ): void {
    // Between runs, a client call was approved without its output, so no run continues yet. No step begins
    // either: over SSE a client looks in the newest step only for what it must send (P1), and this is that
    // step.
    const mayBringOutput = call.requested.executor === 'client' && approved && !isSuspended;
    // The message of the client that brought the output has it.
    if (asOutput && !view.replay) return;
    const write = asOutput ? writer.writeKnown : writer.write;
    if (mayBringOutput) deferred = call;
    else write(...settledChunk(call, placeOf(call)));
  }

  function showOwnOutcome(call: Call): void {
    if (!parts.isShown(call) || !isOwnOutcome(call)) return;
    // The client produced this outcome, so only other readers need it.
    if (view.replay) showOutcome(call, writer.writeKnown);
    else parts.skipOutcome(call);
  }

  return {
    show,
    showOutcome,
    begin: parts.begin,
    forget: parts.forget,

    /** The chunks of an approval that is still kept back. */
    deferredChunks: (): UIMessageChunk[] => (deferred ? settledChunk(deferred, placeOf(deferred)) : []),

    /** Call it before an item is applied. */
    endDeferred({ call: current }: TurnItem): void {
      const call = deferred;
      if (!call) return;
      deferred = undefined;
      const cameAlong = current === call && call.end;
      const write = cameAlong ? writer.writeKnown : writer.write;
      if (cameAlong && !view.replay) parts.skipOutcome(call);
      else write(...settledChunk(call, placeOf(call)));
    },

    /** Writes what an item shows of its call in every release mode. */
    apply({ event, turn, call }: TurnItem): void {
      if (!call) return;
      switch (event.type) {
        case 'approval-requested':
        case 'answer-recorded':
        case 'plugin-event':
          // The question is sent again: it is open, and says more.
          ask(call);
          return;
        case 'approval-answered':
          showAnswer(event, call, turn.phase === 'suspended');
          return;
        case 'approval-withdrawn':
          writer.write(...settledChunk(call, placeOf(call)));
          return;
        case 'tool-completed':
        case 'tool-failed':
        case 'tool-denied':
        case 'tool-cancelled':
          showOwnOutcome(call);
          return;
        case 'outcome-resolved':
          // If it was shown as unknown, it is shown again. In an earlier response, this is left to the next
          // release.
          if (parts.forgetOutcome(call) && writer.isWriting()) showOutcome(call);
          return;
        case 'run-suspended':
          if (call.requested.executor === 'client' && !call.asked) show(call);
          return;
        default:
      }
    },
  };
}

export type CallWriter = ReturnType<typeof createCallWriter>;

/** The parts of calls: each call and each outcome once. */
function createCallParts(writer: ChunkWriter, placeOf: (call: Call) => Place) {
  const shown = new Set<Call>();
  /** Calls whose part was begun while the model wrote them. */
  const begun = new Set<ToolCallId>();
  const ended = new Set<Call>();

  function unlessBegun(chunks: UIMessageChunk[]): UIMessageChunk[] {
    return chunks.filter(
      (chunk) => chunk.type !== 'tool-input-start' || !begun.has(chunk.toolCallId as ToolCallId),
    );
  }

  return {
    isShown: (call: Call) => shown.has(call),

    show(call: Call): void {
      if (shown.has(call)) return;
      shown.add(call);
      writer.write(...unlessBegun(showCall(call, placeOf(call))));
    },

    showOutcome(call: Call, write: ChunkWriter['write'] = writer.write): void {
      if (ended.has(call) || !call.end || call.kept === 'context') return;
      ended.add(call);
      write(...unlessBegun(outcomeChunks(call, placeOf(call), shown.has(call))));
      shown.add(call);
    },

    skipOutcome: (call: Call): void => void ended.add(call),

    forgetOutcome: (call: Call): boolean => ended.delete(call),

    begin(start: Extract<UIMessageChunk, { type: 'tool-input-start' }>): void {
      begun.add(start.toolCallId as ToolCallId);
      writer.write(start);
    },

    forget: (toolCallId: ToolCallId) => begun.delete(toolCallId),
  };
}
