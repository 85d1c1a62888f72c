import type { UIMessageChunk } from 'ai';
import type { EventOf, JsonObject } from '../../protocol/index.ts';
import type { TurnItem } from '../reader/read-turn.ts';

type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** Collects the chunks of one response and adds its marks: `start`, the marks of steps, and the last chunk. */
export function createChunkWriter() {
  let out: UIMessageChunk[] = [];
  let isWriting = false;
  let hasStarted = false;
  /** `fresh`: the step's mark is written, and nothing after it. */
  let step: 'none' | 'fresh' | 'used' = 'none';
  /** What the open step has, in case that some of it is taken back. */
  let kept: UIMessageChunk[] = [];
  let finishReason: FinishReason = 'other';
  let messageMetadata: JsonObject | undefined;
  /** The last chunk, if it is not `finish`. Written at the end: an outcome may become known after its run. */
  let ending: UIMessageChunk | undefined;

  function write(...chunks: UIMessageChunk[]): void {
    if (chunks.length === 0) return;
    const lasting = chunks.filter((chunk) => !isTransient(chunk));
    if (step === 'fresh' && lasting.length > 0) step = 'used';
    if (isWriting) out.push(...chunks);
    if (step !== 'none') kept = withChunks(kept, lasting);
  }

  function beginStep(): void {
    if (step === 'fresh') return;
    endStep();
    write({ type: 'start-step' });
    step = 'fresh';
    kept = [];
  }

  function endStep(): void {
    if (step === 'none') return;
    step = 'none';
    write({ type: 'finish-step' });
  }

  function take(): UIMessageChunk[] {
    const taken = out;
    out = [];
    return taken;
  }

  return {
    write,
    beginStep,
    endStep,
    take,

    /** Whether chunks are written now, or dropped because the response has not begun yet. */
    isWriting: () => isWriting,

    /** Call it before the chunks of an item are written. @returns true when the response starts with this item */
    open({ turn: { messageId, metadata }, isInResponse }: TurnItem): boolean {
      isWriting = isInResponse;
      if (hasStarted || !isWriting || messageId === undefined) return false;
      hasStarted = true;
      out.push({ type: 'start', messageId, ...(metadata && { messageMetadata: metadata }) });
      return true;
    },

    /** Drops what the open step has shown so far, if anything. @returns true when it did */
    resetStep(): boolean {
      if (step !== 'used') return false;
      write({ type: 'reset-step' });
      step = 'fresh';
      kept = [];
      return true;
    },

    /** Takes back what the open step has shown of these calls: drops the step, and writes everything else again. */
    withdraw(toolCallIds: readonly string[]): void {
      const others = kept.filter(
        (chunk) => !('toolCallId' in chunk && toolCallIds.includes(chunk.toolCallId)),
      );
      write({ type: 'reset-step' });
      kept = [];
      write(...others);
    },

    beginRun(): void {
      ending = undefined;
      beginStep();
    },

    setFinishReason(reason: string): void {
      finishReason = finishReasonOf(reason);
    },

    endRun(event: EventOf<'run-completed' | 'run-failed' | 'run-cancelled'>): void {
      endStep();
      if (event.type === 'run-completed') {
        finishReason = finishReasonOf(event.finishReason);
        messageMetadata = event.metadata;
      } else if (event.type === 'run-failed') ending = { type: 'error', errorText: event.error };
      else ending = { type: 'abort', reason: event.reason };
    },

    /** Ends the response. @param last chunks that were kept back until now */
    end(last: readonly UIMessageChunk[]): UIMessageChunk[] {
      isWriting = hasStarted;
      write(...last);
      endStep();
      const finish = { type: 'finish', finishReason, ...(messageMetadata && { messageMetadata }) } as const;
      if (hasStarted) out.push(ending ?? finish);
      return take();
    },
  };
}

/** @see createChunkWriter */
export type ChunkWriter = ReturnType<typeof createChunkWriter>;

/** With consecutive deltas of one block as one, and without what a later chunk replaces. */
function withChunks(kept: UIMessageChunk[], chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  for (const chunk of chunks) {
    const last = kept.at(-1);
    const joined = last && join(last, chunk);
    const place = joined ? kept.length - 1 : kept.findLastIndex((each) => isReplacedBy(each, chunk));
    if (place === -1) kept.push(chunk);
    else kept[place] = joined ?? chunk;
  }
  return kept;
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
      // A client that reads 'interrupted' never sends automatically again.
      return 'other';
  }
}
