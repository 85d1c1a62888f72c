import type { UIMessageChunk } from 'ai';
import { withPart } from '../../log/turn/with-part.ts';
import type { EventOf } from '../../protocol/index.ts';
import type { StreamView } from '../flow-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { keptCalls, type TurnItem } from '../reader/read-turn.ts';
import { createChunkWriters } from './chunk-writers.ts';
import { dataChunk } from './data-chunks.ts';
import { lifecycleChunks } from './lifecycle.ts';
import { createLiveInputs } from './live-inputs.ts';
import { createLiveProse } from './live-prose.ts';
import { preliminaryChunks } from './outcome-chunks.ts';

/**
 * The chunks of a turn with the release `progressive`: text, calls and outcomes are streamed as they happen.
 *
 * @source ADR 0004, T10, T11, T13, T14, T15, T16
 */
export function createLiveChunks(
  view: StreamView,
  { writer, callWriter } = createChunkWriters(view),
): Projection<UIMessageChunk> {
  const prose = createLiveProse();
  const inputs = createLiveInputs(writer, callWriter);
  let lastStep = -1;
  /** The data parts of the open step. */
  let data: readonly EventOf<'data-written'>[] = [];

  function beginStep({ step }: EventOf<'step-started'>): void {
    const isRepeated = step === lastStep;
    lastStep = step;
    if (isRepeated && writer.resetStep()) {
      prose.reset();
      inputs.reset();
      // They are not the model's, which begins again.
      writer.write(...data.map((event) => dataChunk(event)));
    } else {
      writer.beginStep();
      data = [];
    }
  }

  function writeData(event: EventOf<'data-written'>): void {
    if (!event.transient) data = withPart(data, event);
    writer.write(dataChunk(event));
  }

  function onEvent(item: TurnItem): void {
    const { event, turn, call } = item;
    switch (event.type) {
      case 'run-started':
        writer.beginRun();
        data = [];
        for (const kept of event.kept ? keptCalls(turn) : []) {
          callWriter.showOutcome(kept);
          for (const written of kept.data ?? []) writeData(written);
          writer.write(...lifecycleChunks(kept.end, kept));
        }
        return;
      case 'step-started':
        beginStep(event);
        return;
      case 'step-finished':
        writer.setFinishReason(event.finishReason);
        writer.write(...prose.end());
        return;
      case 'data-written':
        writeData(event);
        return;
      case 'tool-requested':
        // A subagent's call is shown with its outcome: a page must not wait for it when it answers a question within it.
        if (
          call &&
          event.gate.type !== 'ask' &&
          event.executor !== 'client' &&
          !event.invalid &&
          !event.agent
        ) {
          callWriter.show(call);
        }
        return;
      case 'tool-progressed':
        if (call) writer.write(...preliminaryChunks(call, event));
        return;
      case 'approval-granted':
        if (call && call.requested.executor !== 'client' && !call.requested.agent) callWriter.show(call);
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
        writer.write(...prose.end());
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
      callWriter.settleDeferred(item);
      inputs.apply(item.event);
      onEvent(item);
      if (item.call) writer.write(...lifecycleChunks(item.event, item.call));
      return writer.take();
    },
    end: () => writer.end(callWriter.deferredChunks()),
  };
}
