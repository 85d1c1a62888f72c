import type { UIMessageChunk } from 'ai';
import type { EventOf, JsonObject } from '../../protocol/index.ts';
import type { TurnItem } from '../reader/read-turn.ts';

type RunEnded = EventOf<'run-completed' | 'run-failed' | 'run-cancelled'>;
type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** Collects the chunks of one response and adds its marks: `start`, the marks of steps, and the last chunk. */
export function createChunkWriter() {
  const step = createOpenStep();
  const last = createLastChunk();
  let out: UIMessageChunk[] = [];
  let isWriting = false;
  let hasStarted = false;

  function write(...chunks: readonly UIMessageChunk[]): void {
    for (const chunk of chunks) {
      if (isWriting) out.push(chunk);
      if (!isTransient(chunk)) step.add(chunk);
    }
  }

  /** Writes what the client that brought it has already, without using the open step. */
  function writeKnown(...chunks: readonly UIMessageChunk[]): void {
    if (isWriting) out.push(...chunks);
  }

  function beginStep(): void {
    if (step.state() === 'fresh') return;
    endStep();
    write({ type: 'start-step' });
    step.begin();
  }

  function endStep(): void {
    if (step.state() === 'none') return;
    step.end();
    write({ type: 'finish-step' });
  }

  function take(): UIMessageChunk[] {
    const taken = out;
    out = [];
    return taken;
  }

  return {
    write,
    writeKnown,
    beginStep,
    endStep,
    take,
    setFinishReason: last.setFinishReason,

    /** Whether chunks are written now, or dropped because the response has not begun yet. */
    isWriting: () => isWriting,

    open({ turn: { messageId, metadata }, isInResponse }: TurnItem): boolean {
      isWriting = isInResponse;
      if (hasStarted || !isWriting || messageId === undefined) return false;
      hasStarted = true;
      // The mark of a step that is open here belongs to an earlier response.
      step.end();
      out.push({ type: 'start', messageId, messageMetadata: metadata });
      return true;
    },

    /** Drops what the open step has shown so far, if anything. @returns true when it did */
    resetStep(): boolean {
      if (step.state() !== 'used') return false;
      write({ type: 'reset-step' });
      step.begin();
      return true;
    },

    /** Retracts what the open step has shown of these calls: drops the step, and writes everything else again. */
    withdraw(toolCallIds: readonly string[]): void {
      const others = step.without(toolCallIds);
      write({ type: 'reset-step' });
      step.clear();
      write(...others);
    },

    beginRun(): void {
      last.beginRun();
      beginStep();
    },

    endRun(event: RunEnded): void {
      endStep();
      last.endRun(event);
    },

    /** Ends the response. @param keptBack chunks that were kept back until now */
    end(keptBack: readonly UIMessageChunk[]): UIMessageChunk[] {
      isWriting = hasStarted;
      write(...keptBack);
      endStep();
      if (hasStarted) out.push(last.chunk());
      return take();
    },
  };
}

export type ChunkWriter = ReturnType<typeof createChunkWriter>;

/** The open step, and what it has shown, in case some of it is retracted. */
function createOpenStep() {
  /** `fresh`: the step's mark is written, and nothing after it. */
  let state: 'none' | 'fresh' | 'used' = 'none';
  let shown: UIMessageChunk[] = [];
  return {
    state: () => state,

    begin(): void {
      state = 'fresh';
      shown = [];
    },

    end(): void {
      state = 'none';
    },

    clear(): void {
      shown = [];
    },

    add(chunk: UIMessageChunk): void {
      if (state === 'none') return;
      state = 'used';
      addShown(shown, chunk);
    },

    without: (toolCallIds: readonly string[]): UIMessageChunk[] =>
      shown.filter((chunk) => !('toolCallId' in chunk && toolCallIds.includes(chunk.toolCallId))),
  };
}

/** How the response ends. An outcome may become known after its run, so this is the last chunk, and not one of the run's. */
function createLastChunk() {
  let finishReason: FinishReason = 'other';
  let messageMetadata: JsonObject | undefined;
  /** The last chunk, if it is not `finish`. */
  let ending: UIMessageChunk | undefined;
  return {
    beginRun(): void {
      ending = undefined;
    },

    setFinishReason(reason: string): void {
      finishReason = finishReasonOf(reason);
    },

    endRun(event: RunEnded): void {
      if (event.type === 'run-completed') {
        finishReason = finishReasonOf(event.finishReason);
        messageMetadata = event.metadata;
      } else if (event.type === 'run-failed') ending = { type: 'error', errorText: event.error };
      else ending = { type: 'abort', reason: event.reason };
    },

    chunk: (): UIMessageChunk => ending ?? { type: 'finish', finishReason, messageMetadata },
  };
}

/** Adds a chunk to a step: consecutive deltas of one block become one, and a chunk takes the place of one that it replaces. */
function addShown(shown: UIMessageChunk[], chunk: UIMessageChunk): void {
  const last = shown.at(-1);
  const joined = last && join(last, chunk);
  if (joined) shown[shown.length - 1] = joined;
  else {
    const place = shown.findLastIndex((each) => isReplacedBy(each, chunk));
    if (place === -1) shown.push(chunk);
    else shown[place] = chunk;
  }
}

function join(last: UIMessageChunk, chunk: UIMessageChunk): UIMessageChunk | undefined {
  if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
    const isSame = last.type === chunk.type && last.id === chunk.id;
    return isSame ? { ...chunk, delta: last.delta + chunk.delta } : undefined;
  }
  if (chunk.type !== 'tool-input-delta' || last.type !== chunk.type) return undefined;
  return last.toolCallId === chunk.toolCallId
    ? { ...chunk, inputTextDelta: last.inputTextDelta + chunk.inputTextDelta }
    : undefined;
}

/** A newer output of a call replaces a preliminary one, and a data part one of the same type and id. */
function isReplacedBy(kept: UIMessageChunk, chunk: UIMessageChunk): boolean {
  if (chunk.type === 'tool-output-available') {
    return kept.type === chunk.type && kept.toolCallId === chunk.toolCallId && kept.preliminary === true;
  }
  return isDataChunk(chunk) && chunk.id !== undefined && kept.type === chunk.type && kept.id === chunk.id;
}

function isDataChunk(chunk: UIMessageChunk): chunk is Extract<UIMessageChunk, { type: `data-${string}` }> {
  return chunk.type.startsWith('data-');
}

function isTransient(chunk: UIMessageChunk): boolean {
  return 'transient' in chunk && chunk.transient === true;
}

function finishReasonOf(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content-filter':
    case 'tool-calls':
    case 'error':
      return reason;
    default:
      // A client that reads `interrupted` never sends automatically again.
      return 'other';
  }
}
