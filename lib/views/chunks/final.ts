import type { UIMessageChunk } from 'ai';
import type { DraftJson } from '../../protocol/wire/chat/draft.ts';
import type { StreamView } from '../flow-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { keptCalls, type TurnItem } from '../reader/read-turn.ts';
import { limitChunks } from '../step-limit.ts';
import { createChunkWriters } from './call-writer.ts';
import { dataChunk } from './data-chunks.ts';
import { createWithheldProse } from './final-prose.ts';
import { lifecycleChunks } from './lifecycle.ts';
import { createWrittenInputs } from './written-inputs.ts';

/**
 * The chunks of a turn with the release `final`: while the turn may still ask, text, data parts and outcomes are withheld.
 * Questions, drafts, lifecycle reports and transient parts are not. The end of the turn releases all prose, then all outcomes
 * in call order.
 *
 * @source ADR 0004, T1, T2, T3, T4, T5, T6, T7, T8, T9, T13, T14, T15, T16
 */
export function createFinalChunks(
  view: StreamView,
  { writer, callWriter } = createChunkWriters(view, ({ position }) => ({ position })),
): Projection<UIMessageChunk> {
  const prose = createWithheldProse();
  const inputs = createWrittenInputs();

  function release({ event, turn }: TurnItem): void {
    writer.write(...prose.release(turn), ...limitChunks({ event, turn }, true));
    for (const call of turn.calls.values()) callWriter.showOutcome(call);
  }

  function onEvent(item: TurnItem): void {
    const { event, turn } = item;
    switch (event.type) {
      case 'run-started':
        writer.beginRun();
        // Their outcomes are withheld like all others, but not the fact that they ended.
        for (const call of event.kept ? keptCalls(turn) : []) {
          for (const written of call.data ?? []) prose.addData(written);
          writer.write(...lifecycleChunks(call.end, call, { isWithheld: true }));
        }
        return;
      case 'data-written':
        if (event.transient) writer.write(dataChunk(event));
        return;
      case 'text-delta':
        writer.write(draftChunk(prose.draftOf(event)));
        return;
      case 'step-finished':
        writer.setFinishReason(event.finishReason);
        return;
      case 'run-suspended':
        callWriter.apply(item);
        writer.endStep();
        return;
      case 'run-completed':
      case 'run-failed':
      case 'run-cancelled':
        release(item);
        writer.endRun(event);
        return;
      default:
        callWriter.apply(item);
    }
  }

  return {
    apply(item) {
      // A client drops its draft at `start`, so the draft so far is sent again.
      if (writer.open(item)) writer.write(...prose.drafts().map(draftChunk));
      writer.write(...prose.apply(item.event).map(resetDraft));
      writer.write(...inputs.apply(item.event));
      callWriter.endDeferred(item);
      onEvent(item);
      if (item.event.type === 'tool-requested') writer.write(...prose.moveDrafts(item.turn).map(draftChunk));
      if (item.call) writer.write(...lifecycleChunks(item.event, item.call, { isWithheld: true }));
      return writer.take();
    },
    end: () => writer.end(callWriter.deferredChunks()),
  };
}

function draftChunk(data: DraftJson): UIMessageChunk {
  return { type: 'data-draft', transient: true, data };
}

function resetDraft(textId: string): UIMessageChunk {
  return draftChunk({ textId, delta: '', reset: true });
}
