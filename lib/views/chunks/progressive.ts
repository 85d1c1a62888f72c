import type { UIMessageChunk } from 'ai';
import type { Call, Turn } from '../../log/turn/turn.ts';
import { withPart } from '../../log/turn/with-part.ts';
import type { EventOf } from '../../protocol/index.ts';
import type { StreamView } from '../flow-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { keptCalls, type TurnItem } from '../reader/read-turn.ts';
import { limitChunks } from '../step-limit.ts';
import { createChunkWriters } from './call-writer.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { dataChunk } from './data-chunks.ts';
import { lifecycleChunks } from './lifecycle.ts';
import { preliminaryChunks } from './outcome-chunks.ts';
import { createLiveInputs } from './progressive-inputs.ts';
import { createLiveProse } from './progressive-prose.ts';

/** Text, calls and outcomes as they happen. @source ADR 0004, T10, T11, T13, T14, T15, T16 */
export function createLiveChunks(
  view: StreamView,
  { writer, callWriter } = createChunkWriters(view),
): Projection<UIMessageChunk> {
  const prose = createLiveProse();
  const inputs = createLiveInputs(writer, callWriter);
  const data = createStepData(writer);

  function beginStep({ step }: EventOf<'step-started'>): void {
    if (data.isOf(step) && writer.resetStep()) {
      prose.reset();
      inputs.reset();
      data.writeAgain();
    } else {
      writer.beginStep();
      data.clear(step);
    }
  }

  function beginRun({ kept }: EventOf<'run-started'>, turn: Readonly<Turn>): void {
    writer.beginRun();
    data.clear();
    for (const call of kept ? keptCalls(turn) : []) {
      callWriter.showOutcome(call);
      for (const written of call.data ?? []) data.write(written);
      writer.write(...lifecycleChunks(call.end, call));
    }
  }

  function onEvent(item: TurnItem): void {
    const { event, turn, call } = item;
    switch (event.type) {
      case 'run-started':
        beginRun(event, turn);
        return;
      case 'step-started':
        beginStep(event);
        return;
      case 'step-finished':
        writer.setFinishReason(event.finishReason);
        writer.write(...prose.end());
        return;
      case 'data-written':
        data.write(event);
        return;
      case 'tool-requested':
      case 'approval-granted':
        if (call && isShownAt(event, call)) callWriter.show(call);
        return;
      case 'tool-progressed':
        if (call) writer.write(...preliminaryChunks(call, event));
        return;
      case 'tool-completed':
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        callWriter.apply(item);
        if (call) callWriter.showOutcome(call);
        return;
      case 'run-suspended':
        callWriter.apply(item);
        writer.endStep();
        return;
      case 'run-completed':
      case 'run-failed':
      case 'run-cancelled':
        writer.write(...prose.end(), ...limitChunks(item, false));
        for (const each of turn.calls.values()) callWriter.showOutcome(each);
        writer.endRun(event);
        return;
      default:
        writer.write(...prose.apply(event));
        callWriter.apply(item);
    }
  }

  return {
    apply(item) {
      writer.open(item);
      callWriter.endDeferred(item);
      inputs.apply(item.event);
      onEvent(item);
      if (item.call) writer.write(...lifecycleChunks(item.event, item.call));
      return writer.take();
    },
    end: () => writer.end(callWriter.deferredChunks()),
  };
}

/** A subagent's call is shown with its outcome: a page must not wait for it when it answers a question within it. */
function isShownAt(
  { type }: EventOf<'tool-requested' | 'approval-granted'>,
  { requested: { gate, executor, invalid, agent } }: Call,
): boolean {
  if (executor === 'client' || agent) return false;
  return type === 'approval-granted' || (gate.type !== 'ask' && !invalid);
}

/** The data parts of the open step. The model did not produce them, so they are written again when the step is repeated. */
function createStepData(writer: Pick<ChunkWriter, 'write'>) {
  let current = -1;
  let parts: readonly EventOf<'data-written'>[] = [];
  return {
    write(event: EventOf<'data-written'>): void {
      if (!event.transient) parts = withPart(parts, event);
      writer.write(dataChunk(event));
    },
    writeAgain: () => writer.write(...parts.map((event) => dataChunk(event))),
    isOf: (step: number): boolean => step === current,
    /** @param step that begins now. Default: a run begins, with the same step or a different one */
    clear(step = current): void {
      current = step;
      parts = [];
    },
  };
}
