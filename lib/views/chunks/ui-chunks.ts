import type { UIMessageChunk } from 'ai';
import { questionOf } from '../../log/question.ts';
import { isOwnOutcome } from '../../log/response-content.ts';
import { applyToTurn, type Call, calls, emptyTurn } from '../../log/turn.ts';
import type { FlowEvent } from '../../protocol/index.ts';
import type { FlowStream, StreamView } from '../flow-stream.ts';
import { askChunk, outcomeChunks, settledChunk, showCall } from './call-chunks.ts';
import { lifecycleChunks } from './lifecycle.ts';
import { createHeldProse, createLiveProse } from './prose.ts';

/**
 * The AI SDK's view of a turn: a pure mapping of its events to UI message chunks. Hold and release live
 * here, and nowhere else: while a turn may still ask, prose and outcomes stay in the log.
 *
 * Feed every event of the turn in order, then call `end` once.
 *
 * @source ADR 0004; T1-T16, H2
 */
export function createChunkProjection(view: StreamView) {
  const turn = emptyTurn();
  const held = createHeldProse();
  const live = createLiveProse();
  const shown = new Set<Call>();
  const told = new Set<Call>();
  let out: UIMessageChunk[] = [];
  let emitting = false;
  let started = false;
  /** `fresh`: a step mark stands, and nothing after it. */
  let step: 'none' | 'fresh' | 'used' = 'none';
  let modelStep = -1;
  /** A client tool's approval, kept back until it is known whether its output came along (T2). */
  let unsettled: Call | undefined;
  let finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other' = 'other';
  /** How the response ends, if otherwise than with `finish`. Last, since an outcome may become known after its run. */
  let ending: UIMessageChunk | undefined;

  function push(...chunks: UIMessageChunk[]): void {
    if (chunks.length === 0) return;
    if (step === 'fresh' && !chunks.every(isTransient)) step = 'used';
    if (emitting) out.push(...chunks);
  }

  function beginStep(): void {
    if (step === 'fresh') return;
    endStep();
    push({ type: 'start-step' });
    step = 'fresh';
  }

  function endStep(): void {
    if (step === 'none') return;
    step = 'none';
    push({ type: 'finish-step' });
  }

  function start(): void {
    if (started || !emitting) return;
    started = true;
    out.push({ type: 'start', messageId: turn.messageId });
    // A client drops its draft at `start`, so what stood in it is told again.
    if (turn.release === 'final') {
      for (const { id, text } of held.texts()) out.push(draftChunk(id, text));
    }
  }

  function show(call: Call): void {
    if (shown.has(call)) return;
    shown.add(call);
    push(...showCall(call));
  }

  function tell(call: Call): void {
    if (told.has(call) || !call.end || call.kept === 'context') return;
    told.add(call);
    push(...outcomeChunks(call, shown.has(call)));
    shown.add(call);
  }

  function releaseAll(): void {
    push(...live.end());
    push(...held.release());
    for (const call of calls(turn)) tell(call);
  }

  /** The calls that ran before a cut: first, or with the other outcomes. They have long ended, and lists say so at once. */
  function tellKept(progressive: boolean): void {
    for (const call of calls(turn)) {
      if (call.kept !== 'shown' || !call.end) continue;
      if (progressive) tell(call);
      push(...lifecycleChunks(call.end, call));
    }
  }

  function settleDeferred(event: FlowEvent): void {
    const call = unsettled;
    if (!call) return;
    unsettled = undefined;
    const cameAlong = 'toolCallId' in event && event.toolCallId === call.requested.toolCallId && call.end;
    if (cameAlong && !view.replay) {
      told.add(call);
      return;
    }
    push(...settledChunk(call));
  }

  function onEvent(event: FlowEvent, call: Call | undefined): void {
    const progressive = turn.release === 'progressive';
    switch (event.type) {
      case 'run-started':
        ending = undefined;
        beginStep();
        if (event.kept) tellKept(progressive);
        return;
      case 'step-started': {
        const again = event.step === modelStep;
        modelStep = event.step;
        if (!progressive) return;
        if (again && step === 'used') {
          live.reset();
          push({ type: 'reset-step' });
          step = 'fresh';
        } else beginStep();
        return;
      }
      case 'text-delta':
        if (progressive) push(...live.apply(event));
        else push(draftChunk(event.textId, event.delta));
        return;
      case 'reasoning-delta':
      case 'source-added':
        if (progressive) push(...live.apply(event));
        return;
      case 'step-finished':
        finishReason = finishReasonOf(event.finishReason);
        push(...live.end());
        return;
      case 'tool-requested':
        if (
          call &&
          progressive &&
          event.gate.type !== 'ask' &&
          event.executor !== 'client' &&
          !event.invalid
        ) {
          show(call);
        }
        return;
      case 'approval-requested': {
        const question = call && questionOf(call, view.chat);
        if (!question) return;
        show(call);
        push(askChunk(call, question, view.rights(question)));
        return;
      }
      case 'approval-answered':
        if (call && turn.phase === 'suspended') {
          // A client tool's approval without its output: no run goes on with it yet. No step begins either, for
          // over SSE a client looks for what it must send in the newest step only (P1), and this is it.
          push(...settledChunk(call));
        } else if (call?.requested.executor === 'client' && event.approved) unsettled = call;
        else if (call) push(...settledChunk(call));
        return;
      case 'approval-granted':
        if (call && progressive && call.requested.executor !== 'client') show(call);
        return;
      case 'approval-withdrawn':
        if (call) push(...settledChunk(call));
        return;
      case 'tool-completed':
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        if (!call) return;
        if (shown.has(call) && isOwnOutcome(call)) {
          // The client made this outcome itself: only a reader that was not there needs it.
          if (view.replay) tell(call);
          else told.add(call);
        } else if (progressive) tell(call);
        return;
      case 'run-suspended':
        if (call?.requested.executor === 'client' && !call.asked) show(call);
        endStep();
        return;
      case 'run-completed':
        releaseAll();
        finishReason = finishReasonOf(event.finishReason);
        endStep();
        return;
      case 'run-failed':
        releaseAll();
        endStep();
        ending = { type: 'error', errorText: event.error };
        return;
      case 'run-cancelled':
        releaseAll();
        endStep();
        ending = { type: 'abort', reason: event.reason };
        return;
      case 'outcome-resolved':
        // Told already, as unknown: told again. Where nobody could read it now, it comes with the next release.
        if (call && told.delete(call) && emitting) tell(call);
        return;
      default:
    }
  }

  return {
    /** The chunks this event gives. */
    push(event: FlowEvent): UIMessageChunk[] {
      out = [];
      applyToTurn(turn, event);
      emitting = event.seq >= view.emitFrom;
      if (emitting && turn.messageId !== undefined) start();
      if (turn.release === 'final') held.apply(event);
      const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
      settleDeferred(event);
      onEvent(event, call);
      if (call) push(...lifecycleChunks(event, call));
      return out;
    },

    /** The chunks that end the response: after an `error` or `abort` there are none. */
    end(): UIMessageChunk[] {
      out = [];
      emitting = started;
      if (unsettled) push(...settledChunk(unsettled));
      endStep();
      if (started) out.push(ending ?? { type: 'finish', finishReason });
      return out;
    },
  };
}

/** @see createChunkProjection */
export type ChunkProjection = ReturnType<typeof createChunkProjection>;

/** Reads one response of a flow, all chunks of an event at once. */
export type ChunkReader = {
  /** @returns at least one chunk; none when the response is over */
  read(): Promise<readonly UIMessageChunk[]>;
  /** Detaches the reader from the flow's stream. */
  cancel(reason?: unknown): Promise<void>;
};

/** One response of a flow as UI message chunks, read as they are asked for. */
export function readChunks({ events, view }: FlowStream): ChunkReader {
  const reader = events.getReader();
  const projection = createChunkProjection(view);
  let isOver = false;
  return {
    async read() {
      while (!isOver) {
        const next = await reader.read();
        isOver = next.done;
        const chunks = next.done ? projection.end() : projection.push(next.value);
        if (chunks.length > 0) return chunks;
      }
      return [];
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** One response of a flow as UI message chunks. Backpressure and cancelling reach the flow's stream. */
export function uiMessageChunks(stream: FlowStream): ReadableStream<UIMessageChunk> {
  const reader = readChunks(stream);
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        const chunks = await reader.read();
        for (const chunk of chunks) controller.enqueue(chunk);
        if (chunks.length === 0) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function draftChunk(textId: string, delta: string): UIMessageChunk {
  return { type: 'data-draft', transient: true, data: { textId, delta } };
}

function isTransient(chunk: UIMessageChunk): boolean {
  return 'transient' in chunk && chunk.transient === true;
}

function finishReasonOf(reason: string) {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content-filter':
    case 'tool-calls':
    case 'error':
      return reason;
    default:
      // 'interrupted' would stop a client from ever sending by itself again.
      return 'other';
  }
}
